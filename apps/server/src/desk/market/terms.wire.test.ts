import {
  changeTerms,
  decideApproval,
  getTradingTerms,
  listDeskInstruments,
  listDeskSessions,
  listFeeds,
  listTermsHistory,
  NEW_FORM_KEY,
  previewTerms,
  saveCategory,
  withdrawTerms,
  type InstrumentTerms,
  type TermsDraft,
} from '@fairlot/contract/desk'
import { lots, ratio } from '@fairlot/core'
import { beforeAll, describe, expect, test } from 'vitest'
import { decimal, newTrader } from '../../../../../testing/traders.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { verify } from '../../verify/verify.ts'

const DAY_MS = 86_400_000
const EURUSD = 1

describe.each(DATABASES)('terms at the desk, %s', (kind) => {
  const server = serverOn(kind)
  let dealing: AtDesk
  let second: AtDesk
  beforeAll(async () => {
    dealing = await atDesk(server(), 'dealing')
    second = await atDesk(server(), 'administrator')
    await server().price('EURUSD', [1.1, 1.10006])
  })

  const rowOf = async (id = EURUSD) => {
    const { instruments } = await dealing.ask(listDeskInstruments, { search: '' })
    const row = instruments.find((one) => one.id === id)
    if (!row) throw new Error(`no instrument ${id}`)
    return row
  }
  const NOTHING = { instrumentId: null, instrument: null, session: null, settings: null, effectiveAt: null }
  const draftOf = async (
    change: Partial<InstrumentTerms>,
    effect: Partial<Pick<TermsDraft, 'effect' | 'effectiveAt'>> = {},
  ): Promise<TermsDraft> => {
    const { terms, formKey } = await rowOf()
    const draft = { ...NOTHING, kind: 'instrument', instrumentId: EURUSD, formKey, effect: 'now' } as const
    return { ...draft, ...effect, instrument: { ...terms, ...change } }
  }
  const send = async (...asked: Parameters<typeof draftOf>) =>
    dealing.ask(changeTerms, { ...(await draftOf(...asked)), reason: 'a test' })
  /** The refusal of what a second person decides; null where it is done. */
  const decide = (approvalId: number | null, by = second, isApproved = true) =>
    by.refusalOf(decideApproval, { id: approvalId ?? 0, isApproved, reason: 'seen' })
  const version = () => server().deployment.engine.state().termsVersion

  test('what is shown comes back unchanged, and is no change', async () => {
    for (const { id, terms, formKey } of (await dealing.ask(listDeskInstruments, { search: '' }))
      .instruments) {
      const draft = {
        ...NOTHING,
        kind: 'instrument',
        instrumentId: id,
        instrument: terms,
        formKey,
        effect: 'now',
      }
      expect(await dealing.refusalOf(previewTerms, draft as TermsDraft)).toBe('nothingChanged')
    }
    for (const { terms: session, formKey } of (await dealing.ask(listDeskSessions, null)).sessions) {
      const draft = { ...NOTHING, kind: 'calendar', session, formKey, effect: 'now' } as const
      expect(await dealing.refusalOf(previewTerms, draft)).toBe('nothingChanged')
    }
  })

  test('a preview says what changes, how bad it is, from when, and whom it touches; it changes nothing', async () => {
    const trader = await newTrader(server())
    await trader.order({ entry: 'pending', targetPrice: decimal('1.05') })
    const before = version()
    const cheaper = await dealing.ask(previewTerms, await draftOf({ feeRate: ratio(900) }))
    expect(cheaper).toMatchObject({
      ...{ changes: [{ field: 'feeRate', before: '0.001', after: '0.0009' }], isWorse: false },
      ...{ needsSecond: false, positions: 0, pendingOrders: 1 },
    })
    const dearer = await dealing.ask(previewTerms, await draftOf({ feeRate: ratio(1_100) }))
    expect(dearer).toMatchObject({ isWorse: true, needsSecond: true })
    expect(dearer.earliestAt - dearer.effectiveAt).toBeGreaterThanOrEqual(DAY_MS)
    const noticed = await dealing.ask(
      previewTerms,
      await draftOf({ feeRate: ratio(1_100) }, { effect: 'earliest' }),
    )
    expect(noticed).toMatchObject({ isWorse: true, needsSecond: false })
    expect(version()).toBe(before)
  })

  test('to the traders’ good it holds at once; to their disadvantage it is announced, and can be withdrawn', async () => {
    expect(await send({ feeRate: ratio(900) })).toEqual({ approvalId: null })
    expect((await rowOf()).terms.feeRate).toBe(900)
    expect(await send({ feeRate: ratio(1_000) }, { effect: 'earliest' })).toEqual({ approvalId: null })
    expect(await rowOf()).toMatchObject({ announced: 1, terms: { feeRate: 900 } })
    await server().deployment.engine.caughtUp()
    const { changes } = await dealing.ask(listTermsHistory, { page: 1, status: 'announced' })
    expect(changes).toMatchObject([
      {
        ...{ subject: 'EURUSD', author: dealing.name, second: null, reason: 'a test' },
        changes: [{ field: 'feeRate', before: '0.0009', after: '0.001' }],
      },
    ])
    const withdraw = { changeId: changes[0]?.changeId ?? 0, reason: 'a mistake' }
    expect(await dealing.refusalOf(withdrawTerms, { ...withdraw, reason: ' ' })).toBe('reasonMissing')
    expect(await dealing.refusalOf(withdrawTerms, withdraw)).toBeNull()
    expect(await dealing.refusalOf(withdrawTerms, withdraw)).toBe('termsUnknown')
    expect((await rowOf()).announced).toBe(0)
  })

  test('at short notice it waits for a second person, and never the same one', async () => {
    const { approvalId } = await send({ swapBuy: ratio(-2_000_000) })
    expect((await rowOf()).terms.swapBuy).toBe(0)
    expect(await decide(approvalId, dealing)).toBe('sameOperator')
    expect(await decide(approvalId)).toBeNull()
    expect((await rowOf()).terms.swapBuy).toBe(-2_000_000)
    expect(await decide(approvalId)).toBe('caseEnded')
    await server().deployment.engine.caughtUp()
    const { changes } = await dealing.ask(listTermsHistory, { page: 1, status: 'inForce' })
    expect(changes[0]).toMatchObject({ author: dealing.name, second: second.name })
    const { queries } = server().deployment.database
    const act = await queries
      .selectFrom('desk_act')
      .selectAll()
      .where('case_key', '=', `approval:${approvalId}`)
      .where('act', '=', 'changeTerms')
      .where('before', 'is not', null)
      .executeTakeFirstOrThrow()
    expect(act).toMatchObject({ second_name: second.name, outcome: 'done', before: '{"swapBuy":"0"}' })
  })

  test('what has been refused by the second person changes nothing', async () => {
    const { approvalId } = await send({ swapSell: ratio(-2_000_000) })
    expect(await decide(approvalId, second, false)).toBeNull()
    expect((await rowOf()).terms.swapSell).toBe(0)
  })

  test('a mark-up is worse for traders: it is announced, or waits for a second person', async () => {
    expect((await rowOf()).terms.markUp).toBe(0)
    expect(await dealing.ask(previewTerms, await draftOf({ markUp: ratio(100) }))).toMatchObject({
      ...{ changes: [{ field: 'markUp', before: '0', after: '0.0001' }], isWorse: true, needsSecond: true },
    })
    const { approvalId } = await send({ markUp: ratio(100) })
    expect(await decide(approvalId)).toBeNull()
    expect((await rowOf()).terms.markUp).toBe(100)
    const trader = await newTrader(server())
    await server().price('EURUSD', [1.1, 1.10006])
    expect(await trader.order()).toMatchObject({ openPrice: 1.10017 })
    expect(await send({ markUp: ratio(0) })).toEqual({ approvalId: null })
    await server().price('EURUSD', [1.1, 1.10006])
  })

  test('a fixed margin is a figure for each lot: an order takes exactly so much, and it stays while one lives', async () => {
    const GBPUSD = 2
    const fix = async (contractSize: number) => {
      const { terms, formKey } = await rowOf(GBPUSD)
      return dealing.refusalOf(changeTerms, {
        ...{ ...NOTHING, kind: 'instrument', instrumentId: GBPUSD, formKey, effect: 'now' },
        ...{ instrument: { ...terms, marginMode: 'fixed', contractSize }, reason: 'a lot costs the same' },
      })
    }
    for (const absurd of [0, -1_000, 1_000_000_001]) expect(await fix(absurd)).toBe('termsInvalid')
    expect(await fix(1_000)).toBeNull()
    await server().price('GBPUSD', [1.25, 1.2502])
    const trader = await newTrader(server())
    const order = await trader.order({ instrumentId: GBPUSD, lots: lots(2_500), leverage: 10 })
    expect(order).toMatchObject({ originalMargin: 250_000_000n, fee: 250_000n })
    expect(order.instrument).toMatchObject({ marginMode: 'fixed', contractSize: 1_000 })
    expect(order.receipts[0]?.terms).toBe(version())
    expect(await fix(2_000)).toBe('termsFixed')
  })

  test('an order of sources is to be of those that are there, and is shown with the feeds', async () => {
    const [source] = (await dealing.ask(listFeeds, null)).sources
    expect(await send({ sourceOrder: [source?.name ?? ''] })).toEqual({ approvalId: null })
    expect((await rowOf()).terms.sourceOrder).toEqual([source?.name])
    await server().price('EURUSD', [1.1, 1.10006])
    const row = async () =>
      (await dealing.ask(listFeeds, null)).instruments.find(({ instrumentId }) => instrumentId === EURUSD)
    expect(await row()).toMatchObject({ source: source?.name, sourceOrder: [source?.name] })
    expect(await send({ sourceOrder: [] })).toEqual({ approvalId: null })
  })

  test('a form that was opened before somebody else’s change is refused, and so is what waited since then', async () => {
    const { approvalId } = await send({ swapSell: ratio(-1_000_000) })
    const stale = await draftOf({ lotMax: lots(500_000) })
    expect(await send({ swapSell: ratio(10) })).toEqual({ approvalId: null })
    expect(await dealing.refusalOf(changeTerms, { ...stale, reason: 'late' })).toBe('formOutdated')
    expect(await decide(approvalId)).toBe('formOutdated')
    expect((await rowOf()).terms).toMatchObject({ swapSell: 10, lotMax: 1_000_000 })
  })

  test.each<[string, Partial<InstrumentTerms>, string, RegExp]>([
    ['no decimals with a spread of 0.1', { priceDecimals: 0 }, 'minStopDistance', /more digits/],
    ['a mark-up of half the price', { markUp: ratio(500_000) }, 'markUp', /range/],
    ['a source that nobody has', { sourceOrder: ['ws:nowhere:1'] }, 'sourceOrder', /has this name/],
    ['a source that stands there twice', { sourceOrder: ['ws:a', 'ws:a'] }, 'sourceOrder', /name|twice/],
    ['a leverage of zero', { leverages: [0] }, 'leverages', /above zero/],
    ['a step of zero', { lotStep: lots(0) }, 'lotStep', /above zero/],
    ['more lots at least than at most', { lotMin: lots(2_000_000) }, 'lotMax', /below the least/],
    ['hours that are not there', { session: 'moon' }, 'session', /no such hours/],
  ])('%s is refused with the field and the reason, and written down', async (_what, change, field, words) => {
    const before = version()
    const draft = { ...(await draftOf(change)), reason: 'nonsense' }
    const refused = await dealing.try(changeTerms, draft)
    expect(refused).toMatchObject({ ok: false, reason: 'termsInvalid', details: { field } })
    expect(refused).toMatchObject({ message: expect.stringMatching(words) as string })
    expect(version()).toBe(before)
    const { queries } = server().deployment.database
    const last = await queries.selectFrom('desk_act').selectAll().orderBy('id', 'desc').executeTakeFirst()
    expect(last).toMatchObject({ outcome: 'termsInvalid', reason: 'nonsense', operator_name: dealing.name })
  })

  test('an instrument is made, listed at once, and switched off again', async () => {
    await dealing.ask(saveCategory, {
      ...{ id: null, version: 0, code: 'Exotics', behind: null, reason: 'asked for' },
      names: [{ language: 'en', name: 'Exotics' }],
    })
    const { terms } = await rowOf()
    const made = { ...terms, code: 'EURDKK', showCode: 'EUR/DKK', quoteCurrency: 'DKK', category: 'Exotics' }
    const draft = { ...NOTHING, kind: 'instrument', formKey: NEW_FORM_KEY, effect: 'now' } as const
    const asked = { ...draft, instrument: made, reason: 'asked for' }
    // No pair leads from kroner to dollars yet.
    expect(await dealing.try(changeTerms, asked)).toMatchObject({
      ...{ reason: 'termsInvalid', details: { field: 'quoteCurrency' } },
    })
    const pair = { ...made, baseCurrency: 'USD', code: 'USDDKK', showCode: 'USD/DKK' }
    expect(await dealing.ask(changeTerms, { ...asked, instrument: pair })).toEqual({ approvalId: null })
    const row = (await dealing.ask(listDeskInstruments, { search: '' })).instruments.find(
      (one) => one.terms.code === 'USDDKK',
    )
    expect(row).toMatchObject({ id: 56, source: null, terms: { isEnabled: true, category: 'Exotics' } })
    expect(await dealing.ask(changeTerms, { ...asked, instrument: made })).toEqual({ approvalId: null })
    const off = { ...asked, instrumentId: 57, instrument: { ...made, isEnabled: false } }
    expect(await dealing.ask(changeTerms, { ...off, formKey: (await rowOf(57)).formKey })).toEqual({
      approvalId: null,
    })
    expect((await rowOf(57)).terms.isEnabled).toBe(false)
  })

  test('hours and holidays: a session that ends before it begins is refused, a new holiday holds', async () => {
    const { sessions } = await dealing.ask(listDeskSessions, null)
    const forex = sessions.find(({ terms }) => terms.name === 'forex')
    if (!forex) throw new Error('forex hours are seeded')
    expect(forex.instruments).toContain('EURUSD')
    const draft = {
      ...NOTHING,
      kind: 'calendar',
      effect: 'now',
      formKey: forex.formKey,
      reason: 'a test',
    } as const
    const backwards = { ...forex.terms, windows: 'Mon 16:00-Mon 09:30' }
    expect(await dealing.try(changeTerms, { ...draft, session: backwards })).toMatchObject({
      ...{ reason: 'termsInvalid', details: { field: 'windows' } },
    })
    const holidays = [...forex.terms.holidays, { date: '2031-05-01', closesAt: '12:00' }]
    const session = { ...forex.terms, holidays }
    expect(await dealing.ask(changeTerms, { ...draft, session })).toEqual({ approvalId: null })
    expect((await dealing.ask(listDeskSessions, null)).sessions).toContainEqual(
      expect.objectContaining({ terms: session }),
    )
  })

  test('settings of trading: an earlier stop-out is announced, more living orders hold at once', async () => {
    const { terms, formKey } = await dealing.ask(getTradingTerms, null)
    const draft = { ...NOTHING, kind: 'settings', effect: 'now', formKey, reason: 'a test' } as const
    const worse = { ...draft, settings: { ...terms, stopOutLevel: 70 } }
    expect(await dealing.ask(previewTerms, worse)).toMatchObject({ isWorse: true, needsSecond: true })
    const senseless = { ...draft, settings: { ...terms, warningLevel: 10 } }
    expect(await dealing.try(changeTerms, senseless)).toMatchObject({ details: { field: 'warningLevel' } })
    const currency = { ...draft, settings: { ...terms, accountCurrency: 'EUR' } }
    expect(await dealing.refusalOf(changeTerms, currency)).toBe('termsFixed')
    const more = { ...draft, settings: { ...terms, maxLivingOrders: terms.maxLivingOrders + 1 } }
    expect(await dealing.ask(changeTerms, more)).toEqual({ approvalId: null })
  })

  test('the books still add up after all of it', async () => {
    const { deployment } = server()
    await deployment.engine.caughtUp()
    expect((await verify(deployment.database)).difference).toBeNull()
  })
})
