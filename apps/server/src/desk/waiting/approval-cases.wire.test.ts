import {
  listChargeAccounts,
  listChargeChannels,
  listInstruments,
  listTermsChanges,
  termsCard,
  toJsonSchema,
  valueOf,
  wireWords,
} from '@fairlot/contract'
import {
  askHalt,
  changeOperator,
  changeTerms,
  decideApproval,
  DESK_ENDPOINTS,
  FIELD_LABELS,
  finishDeposit,
  getAct,
  getWaitingCase,
  inviteOperator,
  type InstrumentTerms,
  listActs,
  listDeskInstruments,
  resetOperator,
  saveDepositChannel,
  saveWireAccount,
} from '@fairlot/contract/desk'
import { ratio, sessionText, type TermsChange } from '@fairlot/core'
import { beforeAll, describe, expect, test } from 'vitest'
import { clientOf } from '../../../../../testing/client.ts'
import { newTrader } from '../../../../../testing/traders.ts'
import { LANGUAGES, translatorFor } from '../../i18n/translate.ts'
import { changedFields } from '../../market/terms-fields.ts'
import { sentTo } from '../../testing/accounts.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { IBAN, newPayer, openedDeposit, units } from '../../testing/payments.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { differencesOf } from '../acts/differences.ts'

const HOUR_MS = 3_600_000
const EURUSD = 1
const CHANNEL = {
  ...{ id: null, version: 0, currencyCode: 'USDT', protocolCode: 'ERC20', reason: 'a new wallet' },
  ...{ address: '0x52908400098527886E0F7030069857D2E4169EE7', dayLimit: null, personDayLimit: null },
}
const WIRE = {
  ...{ id: null, version: 0, currencyCode: 'EUR', bankName: 'Quay Bank', bankAddress: '2 Quay' },
  ...{ bankSwift: 'QUAYDEFF', payeeName: 'Fairlot clients', payeeAccount: IBAN, bankRemark: '' },
  ...{ dayLimit: null, personDayLimit: null, reason: 'a new bank' },
}
const NOTHING = { instrument: null, session: null, settings: null, effectiveAt: null } as const

describe.each(DATABASES)('what waits for a second person, %s', (kind) => {
  const server = serverOn(kind)
  type Five = [AtDesk, AtDesk, AtDesk, AtDesk, AtDesk]
  let [support, finance, dealing, administrator, compliance]: Five = [] as never
  let count = 0
  beforeAll(async () => {
    support = await atDesk(server(), 'support')
    finance = await atDesk(server(), 'finance')
    dealing = await atDesk(server(), 'dealing')
    administrator = await atDesk(server(), 'administrator')
    compliance = await atDesk(server(), 'compliance')
    await server().price('EURUSD', [1.1, 1.10006])
  })

  /** Asks for worse terms, from a moment or at once. */
  const dearer = async (change: Partial<InstrumentTerms>, effectiveAt: number | null = null) => {
    const { instruments } = await dealing.ask(listDeskInstruments, { search: '' })
    const row = instruments.find(({ id }) => id === EURUSD)
    if (!row) throw new Error('no EURUSD')
    return dealing.ask(changeTerms, {
      ...{ ...NOTHING, kind: 'instrument', instrumentId: EURUSD, formKey: row.formKey },
      ...{ effect: effectiveAt === null ? 'now' : 'at', effectiveAt, reason: 'prices cost more' },
      instrument: { ...row.terms, ...change },
    })
  }
  /** Everything that a second person can be asked for, by the call that asks. */
  const ASKS: Readonly<Record<string, () => Promise<{ readonly approvalId: number | null }>>> = {
    askHalt: () => support.ask(askHalt, { instrumentId: EURUSD, reason: 'prices look wrong' }),
    changeTerms: () => dearer({ feeRate: ratio(1_300) }),
    saveDepositChannel: () => finance.ask(saveDepositChannel, CHANNEL),
    saveWireAccount: () => finance.ask(saveWireAccount, WIRE),
    inviteOperator: () =>
      administrator.ask(inviteOperator, { name: `Newcomer ${(count += 1)}`, role: 'finance', reason: 'new' }),
    changeOperator: () =>
      administrator.ask(changeOperator, { id: finance.id, role: 'dealing', isOn: null, reason: 'moves' }),
    resetOperator: () => administrator.ask(resetOperator, { id: finance.id, reason: 'lost the phone' }),
    finishDeposit: async () => {
      const { user } = await newPayer(server())
      const id = await openedDeposit(server(), user.id, units(20_000))
      return finance.ask(finishDeposit, { id, amount: units(20_000), reason: 'arrived' })
    },
  }
  const caseOf = (id: number | null, by = administrator) =>
    by.ask(getWaitingCase, { caseKey: `approval:${id}` })
  const approve = (id: number | null, by: AtDesk) =>
    by.ask(decideApproval, { id: id ?? 0, isApproved: true, reason: 'seen' })
  /** The words of a case in a language, which are read once it is approved. */
  const saidIn = ({ words }: Awaited<ReturnType<typeof caseOf>>, language: string) =>
    words.flatMap((each) => (each.language === language && each.when === 'approved' ? each.text : []))

  test('is every call that may answer with the number of a case', () => {
    const asking = DESK_ENDPOINTS.filter(({ response }) =>
      JSON.stringify(toJsonSchema(response)).includes('"approvalId"'),
    )
      .filter(({ method }) => method === 'POST')
      .map(({ name }) => name)
    expect(Object.keys(ASKS).toSorted()).toEqual(asking.toSorted())
  })

  test.each(Object.keys(ASKS))('%s names whom it is about and each field by a label', async (name) => {
    const { approvalId } = (await ASKS[name]?.()) ?? { approvalId: null }
    const row = await server()
      .deployment.database.queries.selectFrom('approval')
      .selectAll()
      .where('id', '=', BigInt(approvalId ?? 0))
      .executeTakeFirstOrThrow()
    const fields = differencesOf(row.before, row.after).map(({ field }) => field)
    expect(fields).not.toEqual([])
    expect(fields.filter((field) => !Object.hasOwn(FIELD_LABELS, field))).toEqual([])
    const { acts } = await administrator.ask(listActs, {
      ...{ operatorId: null, act: null, subject: row.subject, accountId: null, outcome: null },
      ...{ since: null, until: null, search: null, page: 1 },
    })
    expect(acts[0]?.about).toMatch(/^[A-Z][a-z ]+( \S+)*$/)
    const { changes } = await administrator.ask(getAct, { id: acts[0]?.id ?? 0 })
    const parts = changes.flatMap(({ field }) => field.split('.'))
    expect(parts.filter((part) => !Object.hasOwn(FIELD_LABELS, part))).toEqual([])
    if (name === 'finishDeposit') return
    const { facts, words, noWords } = await caseOf(approvalId)
    expect(facts[0]?.value).not.toMatch(/:|^\d|[a-z][A-Z]/)
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

  test('a halt shows what traders then read over their buttons, in lists, and as a refusal', async () => {
    const reason = 'the exchange is down'
    const { approvalId } = await support.ask(askHalt, { instrumentId: EURUSD, reason })
    const seen = await caseOf(approvalId)
    await approve(approvalId, dealing)
    const trader = await newTrader(server())
    const listed = valueOf(await trader.client.call(listInstruments, { search: 'EURUSD' }))
    const told = { reason: listed[0]?.haltReason ?? '' }
    const refused: unknown = await trader.order().catch((error: unknown) => error)
    for (const language of LANGUAGES)
      expect(saidIn(seen, language).slice(0, 2)).toEqual([
        translatorFor(language)('halt.notice', told),
        translatorFor(language)('halt.inLists', told),
      ])
    expect(saidIn(seen, 'en')[1]).toBe('Halted: the exchange is down')
    expect(String(refused)).toContain(saidIn(seen, 'en')[2])
  })

  test('terms that are announced at short notice show what traders then read of them', async () => {
    const at = server().deployment.market.now() + 2 * HOUR_MS
    const { approvalId } = await dearer({ feeRate: ratio(1_200), swapBuy: ratio(-1_500_000) }, at)
    const seen = await caseOf(approvalId)
    await approve(approvalId, administrator)
    const announced = valueOf(await clientOf(server().url).call(listTermsChanges, null))
    const change = announced.find(({ effectiveAt }) => effectiveAt === at)
    if (!change) throw new Error('nothing is announced')
    const listed = valueOf(await clientOf(server().url).call(listInstruments, { search: 'EURUSD' }))
    for (const language of LANGUAGES) {
      const card = termsCard(
        {
          say: translatorFor(language),
          codeOf: () => listed[0]?.showCode ?? null,
          decimal: (text) => text.replace('-', '\u2212'),
          isFeeOfMargin: true,
          isMarginFixed: () => false,
          dateTime: () => '<moment>',
        },
        change,
      )
      expect(card.urgent).not.toBeNull()
      const [subject, from, ...lines] = saidIn(seen, language)
      expect(subject).toBe(`${card.subject} · ${card.urgent}`)
      const [before = '', after = ''] = card.from.split('<moment>')
      expect(from?.startsWith(before)).toBe(true)
      expect(from?.endsWith(`${new Date(at).toISOString().slice(11, 19)} UTC${after}`)).toBe(true)
      expect(lines).toEqual([
        ...card.rows.map((row) => `${row.term}: ${row.before} → ${row.after}`),
        card.reason,
      ])
    }
    expect(saidIn(seen, 'en')).toContain('“prices cost more”')
  })

  test('terms that hold at once say that nothing is announced, and nothing is', async () => {
    const announced = async () =>
      valueOf(await clientOf(server().url).call(listTermsChanges, null)).map(({ id }) => id)
    const before = await announced()
    const { approvalId } = await dearer({ swapSell: ratio(-2_500_000) })
    expect(await caseOf(approvalId)).toMatchObject({ words: [], noWords: /nothing is announced/ })
    await approve(approvalId, administrator)
    expect(await announced()).toEqual(before)
  })

  test('an address and an account show what whoever pays in then reads', async () => {
    const coin = await finance.ask(saveDepositChannel, CHANNEL)
    const wire = await finance.ask(saveWireAccount, WIRE)
    const [ofCoin, ofWire] = [await caseOf(coin.approvalId), await caseOf(wire.approvalId)]
    await approve(coin.approvalId, compliance)
    await approve(wire.approvalId, compliance)
    const { client } = await newPayer(server())
    const channel = valueOf(await client.call(listChargeChannels, null)).at(-1)
    const account = valueOf(await client.call(listChargeAccounts, { currency: 'EUR' })).at(-1)
    if (!channel || !account) throw new Error('nowhere to pay in')
    for (const language of LANGUAGES) {
      const say = translatorFor(language)
      const { currency, network, address } = channel
      expect(saidIn(ofCoin, language)).toEqual([
        ...[`${currency} · ${network}`, address],
        say('payIn.sendOnly', { currency, network }),
      ])
      expect(saidIn(ofWire, language)).toEqual(
        wireWords(say, account).map(({ label, value }) => `${label}: ${value}`),
      )
    }
    expect(saidIn(ofWire, 'en')).toContain('Bank: Quay Bank')
  })

  test('a deposit shows the mail that its person then gets, with its currency', async () => {
    const payer = await newPayer(server())
    const id = await openedDeposit(server(), payer.user.id, units(20_000))
    const { words } = await compliance.ask(getWaitingCase, { caseKey: `deposit:${id}` })
    const { approvalId } = await finance.ask(finishDeposit, { id, amount: units(20_000), reason: 'arrived' })
    await approve(approvalId, administrator)
    const mails = async () => (await sentTo(server(), payer.email)).map(({ body }) => body).join('\n')
    const said = words.find(({ when, language }) => when === 'approved' && language === 'en')?.text ?? ''
    expect(said).toBe(`20000.00 USD of your deposit ${id} were credited to your account.`)
    const own = words.find(({ when }) => when === 'approved')?.text ?? ''
    await expect.poll(mails).toContain(own)
  })
})
