import {
  lineOf,
  listDepositAccounts,
  listDepositAddresses,
  listInstruments,
  listTermsChanges,
  termsCard,
  toJsonSchema,
  valueOf,
  wireAccountLabels,
  type InputOf,
} from '@fairlot/contract'
import {
  requestHalt,
  changeOperator,
  changeSetting,
  changeTerms,
  closeUserOrder,
  decideApproval,
  DESK_ENDPOINTS,
  FIELD_LABELS,
  finishDeposit,
  getAuditEntry,
  getWaitingCase,
  approveWithdrawal,
  inviteOperator,
  refuseWithdrawal,
  type InstrumentTerms,
  listAuditEntries,
  listDeskInstruments,
  renewInvitation,
  resetOperator,
  saveDepositChannel,
  saveWireAccount,
  saveWithdrawalCurrency,
  setUserStatus,
  verifyPerson,
  withdrawTerms,
} from '@fairlot/contract/desk'
import { fromUnits, PAYOUT_PRICE_DECIMALS, sessionText, type TermsChange } from '@fairlot/core'
import { beforeAll, describe, expect, test } from 'vitest'
import { clientOf } from '../../../../../testing/client.ts'
import { newTrader } from '../../../../../testing/traders.ts'
import { LANGUAGES, translatorFor } from '../../platform/i18n/translate.ts'
import { changedFields } from '../../market/terms-fields.ts'
import { newUser, sentTo } from '../../testing/accounts.ts'
import { atDesk, invitedColleague, type AtDesk } from '../../testing/desk.ts'
import { setTerms } from '../../testing/engine-setup.ts'
import { IBAN, newPayer, openedDeposit, sentUnits, units } from '../../testing/payments.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { differencesOf } from '../audit-log/audit-entries.ts'

const HOUR_MS = 3_600_000
const EURUSD = 1
const CHANNEL = {
  id: null,
  version: 0,
  currencyCode: 'USDT',
  protocolCode: 'ERC20',
  reason: 'a new wallet',
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  tag: '',
  isUnlistedNetwork: false,
  dayLimit: null,
  fixedRate: null,
  personDayLimit: null,
}
const WIRE = {
  id: null,
  version: 0,
  currencyCode: 'EUR',
  bankName: 'Quay Bank',
  bankAddress: '2 Quay',
  bankSwift: 'QUAYDEFF',
  payeeName: 'Fairlot clients',
  payeeAccount: IBAN,
  bankRemark: '',
  dayLimit: null,
  fixedRate: null,
  personDayLimit: null,
  reason: 'a new bank',
}
const CURRENCY: InputOf<typeof saveWithdrawalCurrency> = {
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
  reason: 'a way to be paid',
}
/** Approvals that are shown and decided at the payment itself. */
const AT_THEIR_SUBJECT = ['finishDeposit', 'refuseWithdrawal']
const NOTHING = { instrument: null, session: null, settings: null, effectiveAt: null } as const

describe.each(DATABASES)('a case for a second operator, %s', (kind) => {
  const server = serverOn(kind)
  let support: AtDesk
  let finance: AtDesk
  let dealing: AtDesk
  let administrator: AtDesk
  let compliance: AtDesk
  let count = 0
  beforeAll(async () => {
    support = await atDesk(server(), 'support')
    finance = await atDesk(server(), 'finance')
    dealing = await atDesk(server(), 'dealing')
    administrator = await atDesk(server(), 'administrator')
    compliance = await atDesk(server(), 'compliance')
    await server().price('EURUSD', [1.1, 1.10006])
  })

  /** Requests worse terms, from a moment on or at once. */
  const requestTerms = async (change: Partial<InstrumentTerms>, effectiveAt: number | null = null) => {
    const { instruments } = await dealing.request(listDeskInstruments, { search: '' })
    const row = instruments.find(({ id }) => id === EURUSD)
    if (!row) throw new Error('no EURUSD')
    return dealing.request(changeTerms, {
      ...NOTHING,
      kind: 'instrument',
      instrumentId: EURUSD,
      formKey: row.formKey,
      effect: effectiveAt === null ? 'now' : 'at',
      effectiveAt,
      reason: 'prices cost more',
      instrument: { ...row.terms, ...change },
    })
  }
  /** Everything that needs a second operator, by the call that requests it. */
  const REQUESTS: Readonly<Record<string, () => Promise<{ readonly approvalId: number | null }>>> = {
    askHalt: () => support.request(requestHalt, { instrumentId: EURUSD, reason: 'prices look wrong' }),
    closePersonOrder: async () => {
      const trader = await newTrader(server())
      const { id: orderId } = await trader.order()
      const change = { id: trader.user.id, orderId, ground: 'accountEnds', reason: 'it is closed' } as const
      return dealing.request(closeUserOrder, change)
    },
    changeTerms: () => requestTerms({ isEnabled: false }),
    withdrawTerms: async () => {
      const { engine, market } = server().deployment
      const { settings } = engine.state()
      const lowered = { ...settings, fourEyesLimit: units(9_000) }
      await setTerms(engine, { kind: 'settings', settings: lowered }, market.now() + HOUR_MS)
      const changeId = engine.state().lastChangeId
      return dealing.request(withdrawTerms, { changeId, reason: 'a mistake' })
    },
    saveDepositChannel: () => finance.request(saveDepositChannel, CHANNEL),
    saveWireAccount: () => finance.request(saveWireAccount, WIRE),
    saveWithdrawalCurrency: () => finance.request(saveWithdrawalCurrency, CURRENCY),
    changeSetting: () =>
      administrator.request(changeSetting, {
        name: 'payout_wait_hours',
        value: '48',
        was: '24',
        reason: 'time to look',
      }),
    inviteOperator: () =>
      administrator.request(inviteOperator, {
        name: `Newcomer ${(count += 1)}`,
        role: 'finance',
        reason: 'new',
      }),
    changeOperator: () =>
      administrator.request(changeOperator, { id: finance.id, role: 'dealing', isOn: null, reason: 'moves' }),
    renewInvitation: async () => {
      const { id } = await invitedColleague(server())
      return administrator.request(renewInvitation, { id, reason: 'the link was lost' })
    },
    resetOperator: () => administrator.request(resetOperator, { id: finance.id, reason: 'lost the phone' }),
    refuseWithdrawal: async () => {
      const { user } = await newPayer(server())
      const deposit = await openedDeposit(server(), user.id, units(50))
      await finance.request(finishDeposit, {
        id: deposit,
        amount: sentUnits(50),
        arrivedAt: null,
        reason: 'arrived',
      })
      const answer = await server().deployment.engine.execute({
        type: 'requestWithdrawal',
        accountId: user.id,
        amount: units(20),
        fee: units(0),
      })
      const [held] = 'entry' in answer ? answer.entry.events : []
      const id = held?.type === 'withdrawalHeld' ? held.caseId : 0
      await administrator.request(approveWithdrawal, { id, reason: 'checked' })
      return finance.request(refuseWithdrawal, { id, reason: 'the address is closed' })
    },
    finishDeposit: async () => {
      const { user } = await newPayer(server())
      const id = await openedDeposit(server(), user.id, units(20_000))
      return finance.request(finishDeposit, {
        id,
        amount: sentUnits(20_000),
        arrivedAt: null,
        reason: 'arrived',
      })
    },
    // Another freeze soon after one that was lifted.
    setPersonStatus: async () => {
      const { user } = await newUser(server())
      const change = (before: 'active' | 'frozen', status: 'active' | 'frozen') =>
        compliance.request(setUserStatus, { id: user.id, before, status, reason: 'papers are missing' })
      await change('active', 'frozen')
      await change('frozen', 'active')
      return change('active', 'frozen')
    },
    verifyPerson: async () => {
      const { user } = await newUser(server())
      const change = { accountId: user.id, outcome: 'verified', reason: 'seen in the office' } as const
      return compliance.request(verifyPerson, change)
    },
  }
  const caseOf = (id: number | null, by = administrator) =>
    by.request(getWaitingCase, { caseKey: `approval:${id}` })
  const approve = (id: number | null, by: AtDesk) =>
    by.request(decideApproval, { id: id ?? 0, isApproved: true, reason: 'seen' })
  /** The texts of a case in a language that users read once it is approved. */
  const textsIn = ({ words }: Awaited<ReturnType<typeof caseOf>>, language: string) =>
    words.flatMap((each) => (each.language === language && each.when === 'approved' ? each.text : []))

  test('is tested here for every call that can return an approval', () => {
    const calls = DESK_ENDPOINTS.filter(({ response }) =>
      JSON.stringify(toJsonSchema(response)).includes('"approvalId"'),
    )
      .filter(({ method }) => method === 'POST')
      .map(({ name }) => name)
    // A held price needs a source that has sent one: see `market/desk/feeds.wire.test.ts`.
    expect([...Object.keys(REQUESTS), 'admitPrice'].toSorted()).toEqual(calls.toSorted())
  })

  test.each(Object.keys(REQUESTS))('names its subject and has a label for each field: %s', async (name) => {
    const { approvalId } = (await REQUESTS[name]?.()) ?? { approvalId: null }
    const row = await server()
      .deployment.database.queries.selectFrom('approval')
      .selectAll()
      .where('id', '=', BigInt(approvalId ?? 0))
      .executeTakeFirstOrThrow()
    const fields = differencesOf(row.before, row.after).map(({ field }) => field)
    expect(fields).not.toEqual([])
    expect(fields.filter((field) => !Object.hasOwn(FIELD_LABELS, field))).toEqual([])
    const { acts } = await administrator.request(listAuditEntries, {
      operatorId: null,
      act: null,
      subject: row.subject,
      accountId: null,
      outcome: null,
      since: null,
      until: null,
      search: null,
      page: 1,
    })
    expect(acts[0]?.about).toMatch(/^[A-Z][a-z ]+:?( \S+)*$/)
    const { changes } = await administrator.request(getAuditEntry, { id: acts[0]?.id ?? 0 })
    const parts = changes.flatMap(({ field }) => field.split('.'))
    expect(parts.filter((part) => !Object.hasOwn(FIELD_LABELS, part))).toEqual([])
    if (AT_THEIR_SUBJECT.includes(name)) return
    const { facts, words, noWords } = await caseOf(approvalId)
    expect(facts[0]?.value).not.toMatch(/:\S|^\d|[a-z][A-Z]/)
    expect(words.length > 0).toBe(noWords === '')
  })

  test('has a label for every field of terms', () => {
    const { instruments, listings, calendar, sources, settings } = server().deployment.engine.state()
    const changes: TermsChange[] = [
      { kind: 'settings', settings },
      ...[...calendar.values()].map((each) => ({ kind: 'calendar', session: sessionText(each) }) as const),
      ...[...sources].map(([instrumentId, source]) => ({ kind: 'source', instrumentId, source }) as const),
      ...[...instruments.values()].map(
        (instrument) =>
          ({ kind: 'instrument', instrument, listing: listings.get(instrument.id) ?? null }) as const,
      ),
    ]
    const fields = new Set(changes.flatMap((each) => changedFields(null, each).map(({ field }) => field)))
    expect(fields.size).toBeGreaterThan(30)
    expect([...fields].filter((field) => !Object.hasOwn(FIELD_LABELS, field))).toEqual([])
  })

  test('shows for a halt what users then read above the buttons, in lists, and as a refusal', async () => {
    const reason = 'the exchange is down'
    const { approvalId } = await support.request(requestHalt, { instrumentId: EURUSD, reason })
    const seen = await caseOf(approvalId)
    await approve(approvalId, dealing)
    const trader = await newTrader(server())
    const listed = valueOf(await trader.client.call(listInstruments, { search: 'EURUSD' }))
    const values = { reason: listed[0]?.haltReason ?? '' }
    const refused: unknown = await trader.order().catch((error: unknown) => error)
    for (const language of LANGUAGES)
      expect(textsIn(seen, language).slice(0, 2)).toEqual([
        translatorFor(language)('halt.notice', values),
        translatorFor(language)('halt.inLists', values),
      ])
    expect(textsIn(seen, 'en')[1]).toBe('Halted: the exchange is down')
    expect(String(refused)).toContain(textsIn(seen, 'en')[2])
  })

  test('shows for terms at short notice what users then read', async () => {
    const at = server().deployment.market.now() + 2 * HOUR_MS
    const { approvalId } = await requestTerms({ isEnabled: false, session: 'metal' }, at)
    const seen = await caseOf(approvalId)
    await approve(approvalId, administrator)
    const announced = valueOf(await clientOf(server().url).call(listTermsChanges, null))
    const change = announced.find(({ effectiveAt }) => effectiveAt === at)
    if (!change) throw new Error('nothing is announced')
    const listed = valueOf(await clientOf(server().url).call(listInstruments, { search: 'EURUSD' }))
    for (const language of LANGUAGES) {
      const card = termsCard(
        {
          translate: translatorFor(language),
          codeOf: () => listed[0]?.showCode ?? null,
          decimal: (text) => text.replace('-', '\u2212'),
          isFeeOfMargin: true,
          isMarginFixed: () => false,
          dateTime: () => '<moment>',
        },
        change,
      )
      expect(card.urgent).not.toBeNull()
      const [subject, from, ...lines] = textsIn(seen, language)
      expect(subject).toBe(`${card.subject} · ${card.urgent}`)
      const [before = '', after = ''] = card.from.split('<moment>')
      expect(from?.startsWith(before) && from.endsWith(after)).toBe(true)
      // Indonesian writes "13.01.21".
      // Some languages write the hours before ten with one digit.
      const time = new Date(at).toISOString().slice(11, 19).replace(/^0/, '')
      expect(from?.replaceAll('.', ':')).toContain(`${time} UTC`)
      expect(lines).toEqual([
        ...card.rows.map((row) => `${row.term}: ${row.before} → ${row.after}`),
        card.reason,
      ])
    }
    expect(textsIn(seen, 'en')).toContain('“prices cost more”')
  })

  test('shows for immediate terms that users are informed of the short notice', async () => {
    const { approvalId } = await requestTerms({ session: 'oil' })
    const seen = await caseOf(approvalId)
    await approve(approvalId, administrator)
    await server().deployment.engine.caughtUp()
    const listed = valueOf(await clientOf(server().url).call(listTermsChanges, null))
    const change = listed.find(({ isInForce, fields }) => isInForce && fields[0]?.after === 'oil')
    expect(change).toMatchObject({ isUrgent: true, instrumentIds: [EURUSD], reason: 'prices cost more' })
    expect(textsIn(seen, 'en')[0]).toMatch(/short notice/)
    expect(textsIn(seen, 'en')[1]).toMatch(/^Effective since/)
  })

  test('shows for a deposit address and account what users then read', async () => {
    const coin = await finance.request(saveDepositChannel, CHANNEL)
    const wire = await finance.request(saveWireAccount, WIRE)
    const [ofCoin, ofWire] = [await caseOf(coin.approvalId), await caseOf(wire.approvalId)]
    await approve(coin.approvalId, compliance)
    await approve(wire.approvalId, compliance)
    const { client } = await newPayer(server())
    const channel = valueOf(await client.call(listDepositAddresses, null)).at(-1)
    const account = valueOf(await client.call(listDepositAccounts, { currency: 'EUR' })).at(-1)
    if (!channel || !account) throw new Error('no deposit account')
    for (const language of LANGUAGES) {
      const translate = translatorFor(language)
      const { currency, network, address } = channel
      expect(textsIn(ofCoin, language)).toEqual([
        `${currency} · ${network}`,
        address,
        translate('payIn.sendOnly', { currency, network }),
      ])
      expect(textsIn(ofWire, language)).toEqual(
        wireAccountLabels(translate, account).map((line) => lineOf(translate, line)),
      )
    }
    expect(textsIn(ofWire, 'en')).toContain('Bank: Quay Bank')
    expect(textsIn(ofWire, 'fr')).toContain('Banque\u00a0: Quay Bank')
  })

  test('shows for a deposit the mail that its user then gets', async () => {
    const payer = await newPayer(server())
    const id = await openedDeposit(server(), payer.user.id, units(20_000))
    const { words } = await compliance.request(getWaitingCase, { caseKey: `deposit:${id}` })
    const { approvalId } = await finance.request(finishDeposit, {
      id,
      amount: sentUnits(20_000),
      arrivedAt: null,
      reason: 'arrived',
    })
    await approve(approvalId, administrator)
    const mails = async () => (await sentTo(server(), payer.email)).map(({ body }) => body).join('\n')
    const english = words.find(({ when, language }) => when === 'approved' && language === 'en')?.text ?? ''
    expect(english).toBe(`20,000.00 USD from your deposit ${id} was credited to your account.`)
    const own = words.find(({ when }) => when === 'approved')?.text ?? ''
    await expect.poll(mails).toContain(own)
  })
})
