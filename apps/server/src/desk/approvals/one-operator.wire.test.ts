import { valueOf, type Outcome } from '@fairlot/contract'
import {
  addLegalVersion,
  addUserNote,
  admitPrice,
  answerChat,
  approveIdentity,
  approveWithdrawal,
  callOffRecovery,
  changeDeskPassword,
  changeOperator,
  changeSetting,
  changeTerms,
  closeUserOrder,
  confirmDeskFactor,
  decideAdjustment,
  decideApproval,
  DESK_ENDPOINTS,
  fetchNewsFeed,
  finishDeposit,
  getPaymentSetup,
  getTradingTerms,
  handOnCase,
  haltTrading,
  inviteOperator,
  joinDesk,
  letCaseGo,
  listDeskInstruments,
  listHeldPrices,
  listSettings,
  logInToDesk,
  logUserOut,
  markUserChatSeen,
  payWithdrawal,
  prepareDeskFactor,
  previewContent,
  previewTerms,
  publishContent,
  refuseDeposit,
  refuseIdentity,
  refuseWithdrawal,
  removeCategory,
  renewDeskFactor,
  renewInvitation,
  requestAdjustment,
  requestHalt,
  resendMessage,
  resetOperator,
  resetUserSecondFactor,
  resumeTrading,
  revealIdentityNumber,
  ROLES,
  saveCategory,
  saveCompany,
  saveContent,
  saveDepositChannel,
  saveNewsFeed,
  saveWireAccount,
  saveWithdrawalCurrency,
  setCreditScore,
  setStaff,
  SETTINGS_OF_TWO,
  settleChat,
  setTradingMode,
  setUserStatus,
  startPayment,
  switchOffReceiving,
  takeCase,
  TWO_OPERATORS,
  verifyPerson,
  withdrawContent,
  withdrawTerms,
  type OperatorRole,
  addDeskPasskey,
  logInToDeskByPasskey,
  prepareDeskPasskey,
  prepareDeskPasskeyLogIn,
  prepareDeskPasskeyProof,
  removeDeskPasskey,
} from '@fairlot/contract/desk'
import { fromUnits, money, PAYOUT_PRICE_DECIMALS } from '@fairlot/core'
import { beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../../../../testing/wait.ts'
import { newTrader } from '../../../../../testing/traders.ts'
import { newUser } from '../../testing/accounts.ts'
import { atDesk, invitedColleague, type AtDesk } from '../../testing/desk.ts'
import { newPayer, openedDeposit, sentUnits, setUpPayments, units } from '../../testing/payments.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { verify } from '../../verify/verify.ts'

const REASON = 'a reason'
const HOUR_MS = 3_600_000
const TIMEOUT_MS = 240_000
const LIMIT = units(10_000)
/** The smallest amount of account money. */
const LEAST = money(1n)

/** A call of the operator who tries everything, with its answer. */
type Attempt = () => Promise<Outcome<unknown>>

/** Repeats a call that came too soon after many others. */
const patiently = <Output>(call: () => Promise<Outcome<Output>>): Promise<Outcome<Output>> =>
  until('an answer within the rate limit', TIMEOUT_MS, async () => {
    const outcome = await call()
    return !outcome.ok && outcome.reason === 'tooManyRequests' ? null : outcome
  })

const NO_SIGNATURE = {
  id: 'none',
  clientData: 'AAAA',
  authenticatorData: 'AAAA',
  signature: 'AAAA',
  handle: null,
}
const NO_PASSKEY = { id: 'none', clientData: 'AAAA', attestation: 'AAAA', transports: [] }

/** The calls that nobody can make here alone, and why. */
const NOT_MADE = {
  'the keys, codes and passwords are unknown': [
    'joinDesk',
    'logInToDesk',
    'confirmDeskFactor',
    'renewDeskFactor',
    'changeDeskPassword',
    'prepareDeskFactor',
    'logInToDeskByPasskey',
    'addDeskPasskey',
  ],
  'there is no such row': [
    'prepareDeskPasskeyProof',
    'removeDeskPasskey',
    'resendMessage',
    'callOffRecovery',
    'approveIdentity',
    'refuseIdentity',
    'revealIdentityNumber',
    'resetPersonSecondFactor',
    'removeCategory',
    'withdrawTerms',
    'hideStrategy',
    'showStrategy',
    'answerStrategyReports',
  ],
  'what is decided in turn needs another operator first': [
    'decideAdjustment',
    'decideApproval',
    'payWithdrawal',
    'startPayment',
  ],
  'it is not tried: it ends the walk or sends a file': [
    'logOutOfDesk',
    'uploadPublicPicture',
    'uploadChatPicture',
    'withdrawApproval',
  ],
}

// One database is enough: roles and the engine decide here.
describe.each(DATABASES.slice(0, 1))('one operator who makes every call of the desk, %s', (kind) => {
  const server = serverOn(kind)
  let [administrator, finance]: [AtDesk, AtDesk] = [] as never
  const made = new Set<string>()
  /** As shown on the screens; null once something has changed. */
  let forms: Awaited<ReturnType<typeof readForms>> | null = null
  beforeAll(async () => {
    administrator = await atDesk(server(), 'administrator')
    finance = await atDesk(server(), 'finance')
    await setUpPayments(server())
  })

  const approved = async (by: AtDesk, id: number | null): Promise<void> => {
    if (id !== null) await by.request(decideApproval, { id, isApproved: true, reason: REASON })
  }

  const readForms = async () => {
    await server().price('GBPUSD', [1.3, 1.30006])
    await server().source.send(JSON.stringify({ symbol: 'GBPUSD', bid: 40, ask: 40.001 }))
    await server().price('USDJPY', [150, 150.008])
    return {
      ...valueOf(await patiently(() => finance.try(getPaymentSetup, null))),
      ...valueOf(await patiently(() => administrator.try(listSettings, { search: '' }))),
      ...valueOf(await patiently(() => administrator.try(listDeskInstruments, { search: '' }))),
      ...valueOf(await patiently(() => administrator.try(getTradingTerms, null))),
      ...valueOf(await patiently(() => administrator.try(listHeldPrices, null))),
    }
  }

  /** Users, cases and operators of a walk. Two operators have credited 40,000, so that no limit is left. */
  const prepare = async () => {
    const { engine } = server().deployment
    const payer = await newPayer(server())
    const rich = await openedDeposit(server(), payer.user.id, units(40_000))
    const credit = { id: rich, amount: sentUnits(40_000), arrivedAt: null, reason: REASON }
    await approved(administrator, (await finance.request(finishDeposit, credit)).approvalId)
    const withdrawal = async () => {
      const answer = await engine.execute({
        type: 'requestWithdrawal',
        accountId: payer.user.id,
        amount: units(20),
        fee: units(0),
      })
      const [held] = 'entry' in answer ? answer.entry.events : []
      return held?.type === 'withdrawalHeld' ? held.caseId : 0
    }
    const approvedByColleague = await withdrawal()
    await finance.request(approveWithdrawal, { id: approvedByColleague, reason: REASON })
    const unlimited = (await newUser(server())).user.id
    await server().price('EURUSD', [1.1, 1.10006])
    const trader = await newTrader(server())
    const { id: orderId } = await trader.order()
    const off = await atDesk(server(), 'support')
    await administrator.request(changeOperator, { id: off.id, role: null, isOn: false, reason: REASON })
    return {
      payer: payer.user.id,
      /** A user whose first credits are within the limit. */
      fresh: unlimited,
      stranger: (await newUser(server())).user.id,
      trader: trader.user.id,
      orderId,
      withdrawals: [await withdrawal(), await withdrawal()],
      approvedByColleague,
      deposits: [
        await openedDeposit(server(), payer.user.id, LEAST),
        await openedDeposit(server(), unlimited, units(10_000.01)),
        await openedDeposit(server(), unlimited, units(6_000)),
        await openedDeposit(server(), unlimited, units(4_000)),
        await openedDeposit(server(), unlimited, LEAST),
        // The last one is refused.
        await openedDeposit(server(), payer.user.id, LEAST),
      ],
      operators: [(await atDesk(server(), 'support')).id, off.id],
      invited: (await invitedColleague(server())).id,
    }
  }
  type World = Awaited<ReturnType<typeof prepare>>

  /** Every changing call, in the ways in which one operator would try to complete what needs two. */
  const walkOf = async (
    by: AtDesk,
    world: World,
    round: number,
  ): Promise<Readonly<Record<string, readonly Attempt[]>>> => {
    const { queries } = server().deployment.database
    const attempt =
      <Input>(endpoint: Parameters<typeof by.try<Input, unknown>>[0], input: Input): Attempt =>
      () =>
        patiently(() => by.try(endpoint, input))
    const { payer, fresh, stranger, trader, orderId, operators, invited } = world
    const withdrawals = [...world.withdrawals, world.approvedByColleague]
    const cases = server().deployment.engine.state().cases
    const adjustments = [...cases.values()].flatMap((each) => (each.kind === 'adjustment' ? [each.id] : []))
    const waiting = await queries
      .selectFrom('approval')
      .select('id')
      .where('status', '=', 'waiting')
      .execute()
    const latestTerms = await queries
      .selectFrom('legal_version')
      .select('version')
      .where('document', '=', 'terms')
      .orderBy('version', 'desc')
      .limit(1)
      .executeTakeFirst()
    forms ??= await readForms()
    const { channels, wires, currencies, settings, instruments, terms, formKey, prices } = forms
    const announced = [...server().deployment.engine.state().announced.keys()]

    const withTerms = (endpoint: typeof changeTerms | typeof previewTerms): Attempt[] => {
      const none = { instrumentId: null, instrument: null, session: null, settings: null, effectiveAt: null }
      const [row] = instruments.filter(({ terms: own }) => own.isEnabled)
      const limits = [
        { fourEyesLimit: money(terms.fourEyesLimit + 1n) },
        { fourEyesLimit: money(terms.fourEyesLimit - 1n) },
        { fourEyesOperatorLimit: money((terms.fourEyesOperatorLimit ?? 0n) + 1n) },
      ]
      const ofLimits = limits.flatMap((limit) =>
        (['now', 'earliest'] as const).map((effect) => ({
          ...none,
          kind: 'settings' as const,
          settings: { ...terms, ...limit },
          formKey,
          effect,
          reason: REASON,
        })),
      )
      const ofInstrument = row
        ? [{ isEnabled: false }, { minStopDistance: Number(row.terms.minStopDistance) + 1 }].map(
            (change) => ({
              ...none,
              kind: 'instrument' as const,
              instrumentId: row.id,
              instrument: { ...row.terms, ...change },
              formKey: row.formKey,
              effect: 'now' as const,
              reason: REASON,
            }),
          )
        : []
      return [...ofLimits, ...ofInstrument].map((draft) => attempt(endpoint, draft as never))
    }
    const onEach = (ids: readonly number[], of: (id: number) => Attempt): Attempt[] => ids.map(of)
    const onCase = (endpoint: typeof takeCase | typeof letCaseGo) =>
      onEach(withdrawals, (id) => attempt(endpoint, { caseKey: `withdrawal:${id}` }))
    const scopes = [
      { scope: 'instrument', instrumentId: 1, category: null, reason: REASON },
      { scope: 'all', instrumentId: null, category: null, reason: REASON },
    ] as const
    const company = {
      id: null,
      version: 0,
      name: `Company ${by.id} ${round}`,
      subject: '',
      logo: '',
      url: 'https://venue.example',
      registeredAddress: '',
      location: '',
      email: '',
      isOn: true,
      redirectUrl: '',
      reason: REASON,
    }
    const texts = [{ language: 'en', title: 'News', summary: '', body: '<p>News</p>' }] as const
    return {
      logInToDesk: [attempt(logInToDesk, { name: 'admin', password: 'wrong', code: null })],
      joinDesk: [attempt(joinDesk, { invitation: 'a', confirmation: 'b', password: 'stacked brass 12' })],
      logOutOfDesk: [],
      prepareDeskFactor: [attempt(prepareDeskFactor, null)],
      confirmDeskFactor: [attempt(confirmDeskFactor, { code: '000000' })],
      renewDeskFactor: [attempt(renewDeskFactor, { code: '000000' })],
      changeDeskPassword: [
        attempt(changeDeskPassword, { oldPassword: 'wrong', password: 'stacked brass 12', code: '000000' }),
      ],
      prepareDeskPasskeyLogIn: [attempt(prepareDeskPasskeyLogIn, null)],
      logInToDeskByPasskey: [attempt(logInToDeskByPasskey, { passkey: NO_SIGNATURE })],
      prepareDeskPasskeyProof: [attempt(prepareDeskPasskeyProof, { purpose: 'confirm' })],
      prepareDeskPasskey: [attempt(prepareDeskPasskey, null)],
      addDeskPasskey: [attempt(addDeskPasskey, { name: 'A key', passkey: NO_PASSKEY })],
      removeDeskPasskey: [attempt(removeDeskPasskey, { id: 'none' })],
      inviteOperator: [
        attempt(inviteOperator, { name: `Friend ${by.id} ${round}`, role: 'support', reason: REASON }),
      ],
      renewInvitation: [attempt(renewInvitation, { id: invited, reason: REASON })],
      resetOperator: onEach([...operators, by.id], (id) => attempt(resetOperator, { id, reason: REASON })),
      changeOperator: [
        ...operators.map((id) =>
          attempt(changeOperator, { id, role: 'finance', isOn: null, reason: REASON }),
        ),
        ...operators.map((id) => attempt(changeOperator, { id, role: null, isOn: true, reason: REASON })),
        attempt(changeOperator, { id: by.id, role: 'administrator', isOn: null, reason: REASON }),
        attempt(changeOperator, { id: operators[0] ?? 0, role: null, isOn: false, reason: REASON }),
      ],
      callOffRecovery: [attempt(callOffRecovery, { reason: REASON })],
      takeCase: onCase(takeCase),
      handOnCase: onEach(withdrawals.slice(0, 1), (id) =>
        attempt(handOnCase, { caseKey: `withdrawal:${id}`, operatorId: finance.id, note: null }),
      ),
      letCaseGo: onCase(letCaseGo),
      askPersonAdjustment: onEach([payer, fresh], (id) =>
        attempt(requestAdjustment, { id, amount: LEAST, reason: REASON }),
      ),
      decideAdjustment: onEach(adjustments, (id) =>
        attempt(decideAdjustment, { id, isApproved: true, reason: REASON }),
      ),
      decideApproval: onEach(
        waiting.map(({ id }) => Number(id)),
        (id) => attempt(decideApproval, { id, isApproved: true, reason: REASON }),
      ),
      withdrawApproval: [],
      askHalt: [attempt(requestHalt, { instrumentId: 2, reason: REASON })],
      addPersonNote: [attempt(addUserNote, { id: payer, text: 'a note' })],
      setPersonStatus: [
        attempt(setUserStatus, { id: stranger, before: 'active', status: 'frozen', reason: REASON }),
        attempt(setUserStatus, { id: stranger, before: 'frozen', status: 'frozen', reason: REASON }),
      ],
      logPersonOut: [attempt(logUserOut, { id: stranger, reason: REASON })],
      resetPersonSecondFactor: [attempt(resetUserSecondFactor, { id: stranger, reason: REASON })],
      setStaff: [attempt(setStaff, { id: stranger, isStaff: round === 1, reason: REASON })],
      setCreditScore: [
        attempt(setCreditScore, { id: stranger, before: 101 - round, score: 100 - round, reason: REASON }),
      ],
      closePersonOrder: [
        attempt(closeUserOrder, { id: trader, orderId, ground: 'accountEnds', reason: REASON }),
      ],
      saveContent: [
        attempt(saveContent, {
          id: null,
          version: 0,
          kind: 'news',
          category: 'company',
          isPinned: false,
          picture: null,
          texts,
        }),
      ],
      previewContent: [attempt(previewContent, { language: 'en', texts })],
      publishContent: [attempt(publishContent, { id: 1, version: 1, publishAt: null, reason: REASON })],
      withdrawContent: [attempt(withdrawContent, { id: 1, version: 2, reason: REASON })],
      saveNewsFeed: [
        attempt(saveNewsFeed, {
          id: null,
          version: 0,
          address: 'https://news.example/rss',
          name: `Feed ${by.id} ${round}`,
          language: 'en',
          category: 'market',
          itemState: 'draft',
          isOn: false,
          reason: REASON,
        }),
      ],
      askNewsFeed: [attempt(fetchNewsFeed, { id: 1 })],
      addLegalVersion: [
        attempt(addLegalVersion, {
          document: 'terms',
          follows: latestTerms?.version ?? '',
          effectiveAt: Date.now() + 48 * HOUR_MS,
          texts: [{ language: 'en', body: 'Terms' }],
          reason: REASON,
        } as never),
      ],
      saveCompany: [attempt(saveCompany, company)],
      changeSetting: [
        ...settings
          .filter(({ name }) => SETTINGS_OF_TWO.includes(name))
          .flatMap(({ name, value }) =>
            [SETTING_VALUES[name] ?? '1', null].map((wanted) =>
              attempt(changeSetting, { name, value: wanted, was: value, reason: REASON }),
            ),
          ),
        attempt(changeSetting, {
          name: 'uploads_per_hour',
          value: String(70 + by.id * 10 + round),
          was: settings.find(({ name }) => name === 'uploads_per_hour')?.value ?? '',
          reason: REASON,
        }),
      ],
      resendMessage: [attempt(resendMessage, { id: '1', reason: REASON })],
      saveDepositChannel: channels.flatMap(
        ({ rateNow: _rateNow, changedAt: _changedAt, isOn: _isOn, ...form }) =>
          [
            { address: 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC' },
            { dayLimit: money((form.dayLimit ?? 0n) + 1n) },
            { fixedRate: 10_000_000_001n },
          ].map((change) =>
            attempt(saveDepositChannel, { ...form, ...change, isUnlistedNetwork: false, reason: REASON }),
          ),
      ),
      saveWireAccount: wires.flatMap(({ rateNow: _rateNow, changedAt: _changedAt, isOn: _isOn, ...form }) =>
        [{ payeeAccount: 'GB33BUKB20201555555555' }, { fixedRate: 10_000_000_001n }].map((change) =>
          attempt(saveWireAccount, { ...form, ...change, reason: REASON }),
        ),
      ),
      saveWithdrawalCurrency: currencies.flatMap(({ changedAt: _changedAt, ...form }) =>
        [
          { usdPrice: fromUnits(10_000_000_001n, PAYOUT_PRICE_DECIMALS) },
          { fee: money(form.fee + 1n) },
          { minimum: money(form.minimum + 1n) },
          { isOn: false, fee: money(form.fee + 1n) },
          { isOn: true, version: form.version + (form.isOn ? 0 : 0), fee: money(form.fee + 2n) },
        ].map((change) =>
          attempt(saveWithdrawalCurrency, { ...form, ...change, isUnlistedNetwork: false, reason: REASON }),
        ),
      ),
      // Switched off at the end, and never on again by the same operator.
      switchOffReceiving: wires.map(({ id, version }) =>
        attempt(switchOffReceiving, { kind: 'wire', id, version, reason: REASON }),
      ),
      haltTrading: scopes.flatMap((scope) => [attempt(haltTrading, scope), attempt(haltTrading, scope)]),
      resumeTrading: scopes.map((scope) => attempt(resumeTrading, scope)),
      setTradingMode: (['halted', 'normal', 'halted', 'reduceOnly', 'normal'] as const).map((mode) =>
        attempt(setTradingMode, { mode, reason: REASON }),
      ),
      saveCategory: [
        attempt(saveCategory, {
          id: null,
          version: 0,
          code: `Category ${by.id} ${round}`,
          names: [{ language: 'en', name: `Category ${by.id} ${round}` }],
          behind: null,
          reason: REASON,
        }),
      ],
      removeCategory: [attempt(removeCategory, { id: 999, version: 1, reason: REASON })],
      previewTerms: withTerms(previewTerms),
      changeTerms: withTerms(changeTerms),
      withdrawTerms: onEach(announced, (changeId) => attempt(withdrawTerms, { changeId, reason: REASON })),
      admitPrice: prices.map(({ instrumentId, number }) =>
        attempt(admitPrice, { instrumentId, number, reason: REASON }),
      ),
      uploadPublicPicture: [],
      noteChatSeen: [attempt(markUserChatSeen, { id: stranger, to: 1 })],
      answerChat: [attempt(answerChat, { id: stranger, text: 'Hello', picture: null, seen: 0 })],
      uploadChatPicture: [],
      settleChat: [attempt(settleChat, { id: stranger, seen: 0, reason: REASON })],
      finishDeposit: onEach(world.deposits.slice(0, -1), (id) => {
        const held = cases.get(id)
        const amount = held?.kind === 'deposit' ? held.amount * 100n : sentUnits(1)
        return attempt(finishDeposit, { id, amount, arrivedAt: null, reason: REASON })
      }),
      refuseDeposit: [
        attempt(refuseDeposit, { id: world.deposits.at(-1) ?? 0, outcome: 'rejected', reason: REASON }),
      ],
      approveWithdrawal: onEach(withdrawals, (id) => attempt(approveWithdrawal, { id, reason: REASON })),
      startPayment: onEach(world.withdrawals, (id) => attempt(startPayment, { id, reason: REASON })),
      payWithdrawal: onEach(world.withdrawals, (id) =>
        attempt(payWithdrawal, { id, reference: `tx ${id}`, reason: REASON }),
      ),
      refuseWithdrawal: onEach(withdrawals, (id) => attempt(refuseWithdrawal, { id, reason: REASON })),
      verifyPerson: [attempt(verifyPerson, { accountId: stranger, outcome: 'verified', reason: REASON })],
      revealIdentityNumber: [attempt(revealIdentityNumber, { accountId: stranger })],
      approveIdentity: [attempt(approveIdentity, { accountId: stranger, sentAt: 1, reason: REASON })],
      refuseIdentity: [
        attempt(refuseIdentity, {
          accountId: stranger,
          sentAt: 1,
          faults: [{ field: 'name', fault: 'differs', words: '' }],
        }),
      ],
    }
  }

  /** What only two operators may change, and what one may only switch off or take back. */
  const guarded = async (world: World) => {
    const { engine, database } = server().deployment
    await engine.caughtUp()
    const { queries } = database
    const state = engine.state()
    const operators = await queries.selectFrom('operator').selectAll().orderBy('id').execute()
    const channels = await queries.selectFrom('deposit_channel').selectAll().orderBy('id').execute()
    const wires = await queries.selectFrom('wire_account').selectAll().orderBy('id').execute()
    const currencies = await queries.selectFrom('withdrawal_currency').selectAll().orderBy('id').execute()
    const stored = await queries.selectFrom('setting').selectAll().orderBy('name').execute()
    const verified = await queries.selectFrom('verified_person').select('user_id').execute()
    const account = state.accounts.get(world.payer)
    const isOn = ({ is_on: on }: { readonly is_on: bigint }) => on === 1n
    return {
      same: {
        settings: stored.filter(({ name }) => SETTINGS_OF_TWO.includes(name)),
        channels: channels.map(({ is_on: _on, version: _version, changed_at: _at, ...row }) => row),
        wires: wires.map(({ is_on: _on, version: _version, changed_at: _at, ...row }) => row),
        currencies: currencies.map(({ is_on: _on, version: _version, changed_at: _at, ...row }) => row),
        logIns: operators.map((row) => [
          row.id,
          row.role,
          row.password_hash,
          row.totp_secret,
          row.invitation_hash,
          row.confirmation_hash,
        ]),
        roles: [...state.operators].map(([id, { role, hasJoined }]) => [id, role, hasJoined]),
        money: (account?.available.balance ?? 0n) + (account?.frozen.balance ?? 0n),
        withdrawals: world.withdrawals.map((id) => state.cases.has(id)),
        approved: state.cases.get(world.approvedByColleague),
        position: state.orders.get(world.orderId)?.status,
        terms: state.settings,
        instruments: [...state.instruments.values()],
        admitted: [...state.admitted.keys()],
        announcedLimits: [...state.announced.values()].filter(
          ({ change }) =>
            change.kind === 'settings' &&
            (change.settings.fourEyesLimit !== state.settings.fourEyesLimit ||
              change.settings.fourEyesOperatorLimit !== state.settings.fourEyesOperatorLimit),
        ),
      },
      onlyLess: {
        channelsOn: channels.filter(isOn).map(({ id }) => id),
        wiresOn: wires.filter(isOn).map(({ id }) => id),
        currenciesOn: currencies.filter(isOn).map(({ id }) => id),
        operatorsOn: operators.filter(isOn).map(({ id }) => id),
        verified: verified.map(({ user_id: id }) => id),
      },
    }
  }

  /** Limits that one operator sets end by themselves. */
  const endsOfLimits = (world: World) => {
    const { halts, haltEnds, mode, freezes, accounts } = server().deployment.engine.state()
    const status = accounts.get(world.stranger)?.status
    return {
      halts: [...halts.keys()].map((id) => haltEnds.get(id) ?? Infinity),
      market: mode === 'halted' ? (haltEnds.get(0) ?? Infinity) : 0,
      freeze: status === 'frozen' ? (freezes.get(world.stranger)?.lapsesAt ?? Infinity) : 0,
    }
  }

  test.each(ROLES)(
    'of %s completes nothing that needs two',
    { timeout: TIMEOUT_MS },
    async (role: OperatorRole) => {
      const world = await prepare()
      const by = await atDesk(server(), role)
      forms = null
      const before = await guarded(world)
      const startedAt = server().deployment.market.now()
      // Everything twice: what one call requested, another might complete.
      for (const round of [1, 2])
        for (const name of Object.keys(await walkOf(by, world, round))) {
          const attempts = (await walkOf(by, world, round))[name] ?? []
          for (const attempt of attempts) {
            const outcome = await attempt()
            if (outcome.ok) {
              made.add(name)
              forms = null
            }
            // A request that waits for a second operator is an answer of its own.
            const after = await guarded(world)
            expect(after.same, name).toEqual(before.same)
            for (const [what, ids] of Object.entries(after.onlyLess))
              expect(before.onlyLess[what as keyof typeof before.onlyLess], `${name}: ${what}`).toEqual(
                expect.arrayContaining(ids),
              )
          }
          const { halts, market, freeze } = endsOfLimits(world)
          const latest = server().deployment.market.now() + HOUR_MS / 2
          for (const endsAt of [...halts, market]) expect(endsAt, name).toBeLessThanOrEqual(latest)
          expect(freeze, name).toBeLessThanOrEqual(server().deployment.market.now() + 72 * HOUR_MS)
          const credited =
            server().deployment.engine.state().accounts.get(world.fresh)?.available.balance ?? 0n
          expect(credited, name).toBeLessThanOrEqual(LIMIT)
        }
      expect(server().deployment.market.now()).toBeGreaterThanOrEqual(startedAt)
      // An operator who leaves takes their requests and approvals along.
      await administrator.request(changeOperator, { id: by.id, role: null, isOn: false, reason: REASON })
    },
  )

  test('is somebody of any role who made every call that can be made alone', () => {
    const changing = DESK_ENDPOINTS.filter(({ method }) => method !== 'GET').map(({ name }) => name)
    const notMade = Object.values(NOT_MADE).flat()
    expect([...made, ...notMade].toSorted()).toEqual(changing.toSorted())
    const listed = Object.values(TWO_OPERATORS).flatMap(({ calls }): readonly string[] => calls)
    expect(listed.filter((name) => !made.has(name)).toSorted()).toEqual([
      'decideAdjustment',
      'payWithdrawal',
      'startPayment',
      'withdrawTerms',
    ])
  })

  test('leaves a journal and an audit log that agree', async () => {
    await server().deployment.engine.caughtUp()
    expect((await verify(server().deployment.database, null)).difference).toBeNull()
  })
})

const SETTING_VALUES: Readonly<Record<string, string>> = {
  card_payment_link: 'https://pay.example',
  closing_left_max: '2',
  journal_hash_recipients: 'accomplice@outside.example',
  payout_wait_hours: '0',
  unverified_may_withdraw: '1',
}
