import type { Outcome } from '@fairlot/contract'
import {
  admitPrice,
  approveWithdrawal,
  requestHalt,
  requestAdjustment,
  changeOperator,
  changeSetting,
  changeTerms,
  closeUserOrder,
  confirmDeskFactor,
  decideAdjustment,
  decideApproval,
  DESK_PERMISSIONS,
  DESK_ENDPOINTS,
  finishDeposit,
  getTradingTerms,
  haltTrading,
  inviteOperator,
  listDeskInstruments,
  listHeldPrices,
  listSettings,
  logInToDesk,
  payWithdrawal,
  prepareDeskFactor,
  refuseWithdrawal,
  renewInvitation,
  resetOperator,
  resumeTrading,
  saveDepositChannel,
  saveWithdrawalCurrency,
  setUserStatus,
  setTradingMode,
  startPayment,
  TWO_OPERATORS,
  verifyPerson,
  type ApprovalName,
  type TwoOperatorRuleName,
} from '@fairlot/contract/desk'
import { fromUnits, PAYOUT_PRICE_DECIMALS } from '@fairlot/core'
import { beforeAll, describe, expect, test } from 'vitest'
import { newTrader } from '../../../../../testing/traders.ts'
import { listActivities } from '../../accounts/activity.ts'
import { translatorFor } from '../../platform/i18n/translate.ts'
import { totpCode } from '../../platform/security/second-factor.ts'
import { newUser } from '../../testing/accounts.ts'
import { atDesk, callsAs, DESK_PASSWORD, invitedColleague, type AtDesk } from '../../testing/desk.ts'
import { newPayer, openedDeposit, sentUnits, units } from '../../testing/payments.ts'
import { DATABASES, serverOn, type PricedServer } from '../../testing/running-server.ts'
import { verify } from '../../verify/verify.ts'

/**
 * Calls that change something and need one operator, listed by hand: a new call of the desk belongs here or in the
 * table of changes that need two.
 */
const BY_ONE = {
  'own access': [
    'logInToDesk',
    'joinDesk',
    'logOutOfDesk',
    'prepareDeskFactor',
    'confirmDeskFactor',
    'renewDeskFactor',
    'changeDeskPassword',
    'prepareDeskPasskeyLogIn',
    'logInToDeskByPasskey',
    'prepareDeskPasskeyProof',
    'prepareDeskPasskey',
    'addDeskPasskey',
    'removeDeskPasskey',
  ],
  'assignment of cases, and decisions of the second operator': [
    'takeCase',
    'handOnCase',
    'letCaseGo',
    'decideApproval',
    'withdrawApproval',
  ],
  'urgent protection': ['callOffRecovery', 'switchOffReceiving', 'refuseDeposit', 'resumeTrading'],
  'changes of a user that move no money': [
    'addPersonNote',
    'logPersonOut',
    'resetPersonSecondFactor',
    'setCreditScore',
    'setStaff',
    'approveIdentity',
    'refuseIdentity',
    'noteChatSeen',
    'answerChat',
    'uploadChatPicture',
    'settleChat',
  ],
  'published content': [
    'saveContent',
    'publishContent',
    'withdrawContent',
    'saveNewsFeed',
    'askNewsFeed',
    'addLegalVersion',
    'saveCompany',
    'saveCategory',
    'removeCategory',
    'uploadPublicPicture',
    'resendMessage',
    'hideStrategy',
    'showStrategy',
    'answerStrategyReports',
  ],
  'views without a change': ['previewContent', 'previewTerms', 'revealIdentityNumber'],
}

const EURUSD = 1
const REASON = 'a reason'
const NO_TERMS = {
  instrumentId: null,
  instrument: null,
  session: null,
  settings: null,
  effectiveAt: null,
} as const
const CHANNEL = {
  id: null,
  version: 0,
  currencyCode: 'USDT',
  protocolCode: 'ERC20',
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  tag: '',
  isUnlistedNetwork: false,
  dayLimit: null,
  fixedRate: null,
  personDayLimit: null,
  reason: REASON,
}
const CURRENCY = {
  id: null,
  version: 0,
  code: 'USDT',
  protocol: 'TRC20',
  kind: 'coin',
  feeType: 'fixed',
  fee: units(2),
  usdPrice: fromUnits(9_998_000_000n, PAYOUT_PRICE_DECIMALS),
  minimum: units(20),
  maximum: null,
  personDayLimit: null,
  isOn: true,
  isUnlistedNetwork: false,
  reason: REASON,
} as const

type Requested = Promise<Outcome<{ readonly approvalId: number | null }>>

/** How one operator requests each change of the table that a second one approves. */
function requestsOn(server: () => PricedServer, colleague: () => AtDesk) {
  let count = 0
  const accountOf = async () => (await newUser(server())).user.id
  const creditedWithdrawal = async () => {
    const { user } = await newPayer(server())
    const deposit = await openedDeposit(server(), user.id, units(500))
    const teller = await atDesk(server(), 'finance')
    await teller.request(finishDeposit, {
      id: deposit,
      amount: sentUnits(500),
      arrivedAt: null,
      reason: REASON,
    })
    const answer = await server().deployment.engine.execute({
      type: 'requestWithdrawal',
      accountId: user.id,
      amount: units(200),
      fee: units(0),
    })
    const [held] = 'entry' in answer ? answer.entry.events : []
    return held?.type === 'withdrawalHeld' ? held.caseId : 0
  }
  const withSettings = async (by: AtDesk) => {
    const { terms, formKey } = await by.request(getTradingTerms, null)
    const fourEyesLimit = units(10_000 + (count += 1))
    return by.try(changeTerms, {
      ...NO_TERMS,
      kind: 'settings',
      settings: { ...terms, fourEyesLimit },
      formKey,
      effect: 'now',
      reason: REASON,
    })
  }
  const requests: Readonly<Record<ApprovalName, (by: AtDesk) => Requested>> = {
    finishDeposit: async (by) => {
      const id = await openedDeposit(server(), await accountOf(), units(10_001))
      return by.try(finishDeposit, { id, amount: sentUnits(10_001), arrivedAt: null, reason: REASON })
    },
    rejectApprovedWithdrawal: async (by) => {
      const id = await creditedWithdrawal()
      await colleague().request(approveWithdrawal, { id, reason: REASON })
      return by.try(refuseWithdrawal, { id, reason: REASON })
    },
    // Another currency each time, as each address can exist only once.
    receivingAccount: (by) =>
      by.try(saveDepositChannel, {
        ...CHANNEL,
        currencyCode: `COIN${(count += 1)}`,
        fixedRate: 10_000_000_000n,
      }),
    payoutCurrency: (by) => by.try(saveWithdrawalCurrency, CURRENCY),
    setting: async (by) => {
      const name = 'payout_wait_hours'
      const { settings } = await by.request(listSettings, { search: name })
      const value = String(24 + (count += 1))
      return by.try(changeSetting, { name, value, was: settings[0]?.value ?? '', reason: REASON })
    },
    inviteOperator: (by) =>
      by.try(inviteOperator, {
        name: `Invited ${newName((count += 1))}`,
        role: 'finance',
        reason: REASON,
      }),
    renewInvitation: async (by) =>
      by.try(renewInvitation, { id: (await invitedColleague(server())).id, reason: REASON }),
    resetOperator: async (by) =>
      by.try(resetOperator, { id: (await atDesk(server(), 'support')).id, reason: REASON }),
    changeOperator: async (by) =>
      by.try(changeOperator, {
        id: (await atDesk(server(), 'support')).id,
        role: 'finance',
        isOn: null,
        reason: REASON,
      }),
    terms: async (by) => {
      const { instruments } = await by.request(listDeskInstruments, { search: '' })
      const row = instruments.filter(({ terms }) => terms.isEnabled).at(-1)
      if (!row) throw new Error('no instrument is on')
      return by.try(changeTerms, {
        ...NO_TERMS,
        kind: 'instrument',
        instrumentId: row.id,
        instrument: { ...row.terms, isEnabled: false },
        formKey: row.formKey,
        effect: 'now',
        reason: REASON,
      })
    },
    limits: withSettings,
    heldPrice: async (by) => {
      // Another instrument each time, as an admitted price moves the reference.
      const symbol = ['GBPUSD', 'AUDUSD', 'NZDUSD'][(count += 1) % 3] ?? ''
      await server().price(symbol, [1.1, 1.10006])
      await server().source.send(JSON.stringify({ symbol, bid: 40, ask: 40.001 }))
      await server().price('USDJPY', [150, 150.008])
      const held = (await by.request(listHeldPrices, null)).prices.find(({ code }) => code === symbol)
      const { instrumentId, number } = held ?? { instrumentId: 0, number: 0 }
      return by.try(admitPrice, { instrumentId, number, reason: REASON })
    },
    closeOrder: async (by) => {
      await server().price('EURUSD', [1.1, 1.10006])
      const trader = await newTrader(server())
      const { id: orderId } = await trader.order()
      return by.try(closeUserOrder, { id: trader.user.id, orderId, ground: 'accountEnds', reason: REASON })
    },
    verifyPerson: async (by) =>
      by.try(verifyPerson, { accountId: await accountOf(), outcome: 'verified', reason: REASON }),
    halt: (by) => by.try(requestHalt, { instrumentId: (count += 1) + 1, reason: REASON }),
    freeze: async (by) => {
      const id = await accountOf()
      await by.request(setUserStatus, { id, before: 'active', status: 'frozen', reason: REASON })
      const row = await server()
        .deployment.database.queries.selectFrom('approval')
        .select('id')
        .where('subject', '=', `person:${id}`)
        .where('kind', '=', 'freeze')
        .executeTakeFirstOrThrow()
      return { ok: true, value: { approvalId: Number(row.id) }, message: '' }
    },
  }
  return { requests, accountOf, creditedWithdrawal }
}

/** A new name each time; names cannot begin with a digit. */
const newName = (count: number): string => `N${count}`

const APPROVALS = Object.keys(TWO_OPERATORS).filter(
  (name): name is ApprovalName => name !== 'adjustment' && name !== 'withdrawal',
)

/** An operator with the permission to request or to approve a change. */
const withRights = (
  server: PricedServer,
  name: TwoOperatorRuleName,
  side: 'first' | 'second',
): Promise<AtDesk> => atDesk(server, DESK_PERMISSIONS[TWO_OPERATORS[name][side]][0])

describe('every call of the desk', () => {
  test('that changes something needs two operators by the table, or is on the list of exceptions', () => {
    const ofTwo = new Set<string>(Object.values(TWO_OPERATORS).flatMap(({ calls }) => calls))
    const changing = DESK_ENDPOINTS.filter(({ method }) => method !== 'GET').map(({ name }) => name)
    expect([...ofTwo, ...Object.values(BY_ONE).flat()].toSorted()).toEqual(changing.toSorted())
  })
})

// One database is enough: roles and the engine decide here. Approvals have their own tests on both databases.
describe.each(DATABASES.slice(0, 1))('one operator, %s', (kind) => {
  const server = serverOn(kind)
  let [administrator, colleague, finance]: [AtDesk, AtDesk, AtDesk] = [] as never
  beforeAll(async () => {
    administrator = await atDesk(server(), 'administrator')
    colleague = await atDesk(server(), 'administrator')
    finance = await atDesk(server(), 'finance')
  })
  const { requests, accountOf, creditedWithdrawal } = requestsOn(server, () => colleague)

  /** Everything that changes of two operators could affect. */
  const snapshot = async () => {
    const { engine, database } = server().deployment
    await engine.caughtUp()
    const { queries } = database
    const rowsOf = (table: Parameters<typeof queries.selectFrom>[0]) =>
      queries
        .selectFrom(table as 'setting')
        .selectAll()
        .execute()
    const { accounts, halts, haltEnds, freezes, admitted, cases, operators, mode, termsVersion } =
      engine.state()
    return {
      settings: await rowsOf('setting'),
      channels: await rowsOf('deposit_channel'),
      currencies: await rowsOf('withdrawal_currency'),
      verified: await rowsOf('verified_person'),
      logIns: await queries
        .selectFrom('operator')
        .select([
          'id',
          'role',
          'is_on',
          'password_hash',
          'totp_secret',
          'invitation_hash',
          'confirmation_hash',
        ])
        .orderBy('id')
        .execute(),
      accounts: [...accounts.values()].map(({ id, available, frozen, status, orders }) => ({
        id,
        available: available.balance,
        frozen: frozen.balance,
        status,
        orders: [...orders.keys()],
      })),
      halts: [...halts, ...haltEnds],
      restricted: [...freezes],
      admitted: [...admitted.keys()],
      cases: [...cases].map(([id, each]) => [id, { ...each }]),
      operators: [...operators],
      mode,
      termsVersion,
    }
  }
  const requested = async (name: ApprovalName, by: AtDesk): Promise<number> => {
    const outcome = await requests[name](by)
    if (!outcome.ok) throw new Error(`${name} was refused: ${outcome.reason}`)
    expect(outcome.value.approvalId, name).not.toBeNull()
    return outcome.value.approvalId ?? 0
  }
  const approve = (by: AtDesk, id: number) =>
    by.refusalOf(decideApproval, { id, isApproved: true, reason: REASON })
  const setOperator = async (
    id: number,
    change: { readonly role: 'support' } | { readonly isOn: false },
    reason = REASON,
  ) => {
    const { approvalId } = await administrator.request(changeOperator, {
      id,
      role: null,
      isOn: null,
      ...change,
      reason,
    })
    if (approvalId !== null) expect(await approve(colleague, approvalId)).toBeNull()
  }

  describe.each(APPROVALS)('%s', (name) => {
    test('is not completed by its requester, nor by an operator who lost the role or was switched off', async () => {
      const [first, demoted, switchedOff] = [
        await withRights(server(), name, 'first'),
        await withRights(server(), name, 'second'),
        await withRights(server(), name, 'second'),
      ]
      await setOperator(demoted.id, { role: 'support' })
      await setOperator(switchedOff.id, { isOn: false })
      const id = await requested(name, first)
      const before = await snapshot()
      expect(await approve(first, id)).toBeOneOf(['sameOperator', 'roleRefused'])
      expect(await approve(demoted, id)).toBe('roleRefused')
      expect(await approve(switchedOff, id)).toBe('sessionGone')
      expect(await snapshot()).toEqual(before)
      // The request itself was valid: an operator with the permission completes it.
      expect(await approve(await withRights(server(), name, 'second'), id)).toBeNull()
      expect(await snapshot()).not.toEqual(before)
    })

    test('is void once its requester is switched off', async () => {
      const first = await withRights(server(), name, 'first')
      const second = await withRights(server(), name, 'second')
      const id = await requested(name, first)
      await setOperator(first.id, { isOn: false })
      const before = await snapshot()
      expect(await approve(second, id)).toBe('operatorNotEntitled')
      expect(await approve(second, id)).toBe('caseEnded')
      expect(await snapshot()).toEqual(before)
    })
  })

  test('whose log-in was reset has requested nothing any more', async () => {
    const first = await atDesk(server(), 'administrator')
    const second = await atDesk(server(), 'compliance')
    const id = await requested('inviteOperator', first)
    const reset = await administrator.request(resetOperator, { id: first.id, reason: 'a stolen phone' })
    expect(await approve(colleague, reset.approvalId ?? 0)).toBeNull()
    const before = await snapshot()
    expect(await approve(second, id)).toBe('operatorNotEntitled')
    expect(await approve(second, id)).toBe('caseEnded')
    expect(await snapshot()).toEqual(before)
  })

  test('cannot exceed the limit by splitting a credit', async () => {
    const { engine } = server().deployment
    const accountId = await accountOf()
    const credit = async (whole: number) => {
      const id = await openedDeposit(server(), accountId, units(whole))
      return (
        await finance.request(finishDeposit, {
          id,
          amount: sentUnits(whole),
          arrivedAt: null,
          reason: REASON,
        })
      ).approvalId
    }
    expect(await credit(6_000)).toBeNull()
    expect(await credit(6_000)).not.toBeNull()
    expect(engine.state().accounts.get(accountId)?.available.balance).toBe(units(6_000))
    expect(await credit(4_000)).toBeNull()
  })

  test('cannot adjust a balance, however small the amount', async () => {
    const { engine } = server().deployment
    const id = await accountOf()
    for (const whole of [9_000, 9_000, 1]) {
      const slip = { id, amount: units(whole), reason: REASON }
      const { caseId } = await finance.request(requestAdjustment, slip)
      const decision = { id: caseId, isApproved: true, reason: REASON }
      expect(await finance.refusalOf(decideAdjustment, decision)).toBe('sameOperator')
    }
    expect(engine.state().accounts.get(id)?.available.balance).toBe(0n)
    const requester = await atDesk(server(), 'finance')
    const { caseId } = await requester.request(requestAdjustment, { id, amount: units(1), reason: REASON })
    await setOperator(requester.id, { isOn: false })
    const decision = { id: caseId, isApproved: true, reason: REASON }
    expect(await finance.refusalOf(decideAdjustment, decision)).toBe('caseEnded')
  })

  test('cannot both approve and pay a withdrawal; an approval lapses with the role of its operator', async () => {
    const id = await creditedWithdrawal()
    const payment = { id, reference: 'tx 1', reason: REASON }
    expect(await finance.refusalOf(payWithdrawal, payment)).toBe('withdrawalNotApproved')
    const approver = await atDesk(server(), 'finance')
    await approver.request(approveWithdrawal, { id, reason: REASON })
    expect(await approver.refusalOf(startPayment, { id, reason: REASON })).toBe('sameOperator')
    expect(await approver.refusalOf(payWithdrawal, payment)).toBe('sameOperator')
    await setOperator(approver.id, { role: 'support' }, 'an inquiry into this operator')
    expect(await finance.refusalOf(payWithdrawal, payment)).toBe('withdrawalNotApproved')
    const owner = server().deployment.engine.state().cases.get(id)?.accountId ?? 0
    const { queries } = server().deployment.database
    const { activities } = await listActivities(queries, owner, 1, translatorFor('en'))
    // The user reads what became of the withdrawal, but not why an operator lost the role.
    expect(activities).toContainEqual(
      expect.objectContaining({ text: `Withdrawal ${id} waits for approval again`, reason: '' }),
    )
    await finance.request(approveWithdrawal, { id, reason: REASON })
    expect(await finance.refusalOf(payWithdrawal, payment)).toBe('sameOperator')
  })

  test('can halt a market for 30 minutes, not longer and not again', async () => {
    const dealer = await atDesk(server(), 'dealing')
    const { engine } = server().deployment
    const halt = { scope: 'instrument', instrumentId: EURUSD, category: null, reason: REASON } as const
    await dealer.request(haltTrading, halt)
    const endsAt = engine.state().haltEnds.get(EURUSD)
    await dealer.request(haltTrading, halt)
    expect(engine.state().haltEnds.get(EURUSD)).toBe(endsAt)
    await dealer.request(resumeTrading, halt)
    expect(await dealer.refusalOf(haltTrading, halt)).toBe('secondOperatorNeeded')
    // A halt of the whole market would halt it again.
    expect(await dealer.refusalOf(setTradingMode, { mode: 'halted', reason: REASON })).toBe(
      'secondOperatorNeeded',
    )
    expect(engine.state().mode).toBe('normal')
  })

  test('leaves a journal and an audit log that agree', async () => {
    expect((await verify(server().deployment.database, null)).difference).toBeNull()
  })
})

describe.each(DATABASES.slice(0, 1))('a desk with a single operator, %s', (kind) => {
  const server = serverOn(kind, { env: { DESK_PASSWORD } })
  let admin: AtDesk
  beforeAll(async () => {
    const anyone = callsAs(server().url, null)
    const { token, self } = await anyone.request(logInToDesk, {
      name: 'admin',
      password: DESK_PASSWORD,
      code: null,
    })
    const calls = callsAs(server().url, token)
    const { secret } = await calls.request(prepareDeskFactor, null)
    await calls.request(confirmDeskFactor, { code: totpCode(secret, Date.now()) })
    admin = { ...calls, token, id: self.id, name: self.name, role: self.role }
  })
  const { requests, accountOf } = requestsOn(server, () => admin)

  /** Without rejected withdrawals: no user has money before a second operator has joined. */
  const refused = APPROVALS.filter(
    (name) => TWO_OPERATORS[name].alone === 'secondOperatorNeeded' && name !== 'rejectApprovedWithdrawal',
  )
  /** An operator who may request it, in a role that does not end single-operator mode. */
  const requesterOf = async (name: TwoOperatorRuleName) => {
    const role = DESK_PERMISSIONS[TWO_OPERATORS[name].first].find(
      (each) => each !== 'administrator' && each !== 'compliance',
    )
    return role === undefined ? admin : atDesk(server(), role)
  }

  test.each(refused)('refuses %s, without a case and with an audit entry', async (name) => {
    const { queries } = server().deployment.database
    const by = await requesterOf(name)
    const outcome = await requests[name](by)
    expect(outcome).toMatchObject({ ok: false, reason: 'secondOperatorNeeded' })
    expect(await queries.selectFrom('approval').select('id').execute()).toEqual([])
    const entry = await queries.selectFrom('desk_act').selectAll().orderBy('id', 'desc').executeTakeFirst()
    expect(entry).toMatchObject({ operator_id: BigInt(by.id), outcome: 'secondOperatorNeeded' })
  })

  test('credits and adjusts nothing', async () => {
    const by = await atDesk(server(), 'finance')
    const accountId = await accountOf()
    const id = await openedDeposit(server(), accountId, units(5))
    const credit = { id, amount: sentUnits(5), arrivedAt: null, reason: REASON }
    expect(await by.refusalOf(finishDeposit, credit)).toBe('secondOperatorNeeded')
    const slip = { id: accountId, amount: units(1), reason: REASON }
    expect(await by.refusalOf(requestAdjustment, slip)).toBe('secondOperatorNeeded')
    expect(server().deployment.engine.state().cases.size).toBe(2)
  })

  /** Without `verifyPerson`: while one operator is alone, nobody has the only role that requests it. */
  const waiting = APPROVALS.filter((name) => TWO_OPERATORS[name].alone === 'waits' && name !== 'verifyPerson')

  test.each(waiting)('lets %s wait for a second operator', async (name) => {
    const { queries } = server().deployment.database
    const by = await requesterOf(name)
    const outcome = await requests[name](by)
    const id = outcome.ok ? (outcome.value.approvalId ?? 0) : 0
    expect(await by.refusalOf(decideApproval, { id, isApproved: true, reason: REASON })).toBeOneOf([
      'sameOperator',
      'roleRefused',
    ])
    const row = await queries
      .selectFrom('approval')
      .select(['kind', 'status'])
      .where('id', '=', BigInt(id))
      .executeTakeFirst()
    expect(row).toEqual({ kind: name, status: 'waiting' })
  })

  test('announces terms with the full notice', async () => {
    const by = await atDesk(server(), 'dealing')
    const { instruments } = await by.request(listDeskInstruments, { search: '' })
    const [row] = instruments
    if (!row) throw new Error('no instrument')
    const change = { ...NO_TERMS, kind: 'instrument', instrumentId: row.id, formKey: row.formKey } as const
    const instrument = { ...row.terms, isEnabled: false }
    expect(
      await by.request(changeTerms, { ...change, instrument, effect: 'earliest', reason: REASON }),
    ).toEqual({
      approvalId: null,
    })
  })
})
