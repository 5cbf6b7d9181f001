import { listTermsChanges, valueOf } from '@fairlot/contract'
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
import { lots, money, ratio } from '@fairlot/core'
import { beforeAll, describe, expect, test } from 'vitest'
import { changeInstrument } from '../../testing/engine-setup.ts'
import { decimal, newTrader } from '../../../../../testing/traders.ts'
import { clientOf } from '../../../../../testing/client.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { verify } from '../../verify/verify.ts'

const DAY_MS = 86_400_000
const EURUSD = 1

describe.each(DATABASES)('terms at the desk, %s', (kind) => {
  const server = serverOn(kind)
  let dealing: AtDesk
  let second: AtDesk
  let dealer: AtDesk
  beforeAll(async () => {
    dealing = await atDesk(server(), 'dealing')
    second = await atDesk(server(), 'administrator')
    dealer = await atDesk(server(), 'dealing')
    await server().price('EURUSD', [1.1, 1.10006])
  })

  const rowOf = async (id = EURUSD) => {
    const { instruments } = await dealing.request(listDeskInstruments, { search: '' })
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
  const send = async (...change: Parameters<typeof draftOf>) =>
    dealing.request(changeTerms, { ...(await draftOf(...change)), reason: 'a test' })
  /** The rejection of a second operator's decision; null if it was carried out. */
  const decide = (approvalId: number | null, by = second, isApproved = true) =>
    by.refusalOf(decideApproval, { id: approvalId ?? 0, isApproved, reason: 'seen' })
  const version = () => server().deployment.engine.state().termsVersion

  test('are unchanged when a form is sent back as shown', async () => {
    for (const { id, terms, formKey } of (await dealing.request(listDeskInstruments, { search: '' }))
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
    for (const { terms: session, formKey } of (await dealing.request(listDeskSessions, null)).sessions) {
      const draft = { ...NOTHING, kind: 'calendar', session, formKey, effect: 'now' } as const
      expect(await dealing.refusalOf(previewTerms, draft)).toBe('nothingChanged')
    }
  })

  test('have a preview of fields, effect on traders, effective time and affected orders, which changes nothing', async () => {
    const trader = await newTrader(server())
    await trader.order({ orderType: 'pending', targetPrice: decimal('1.05') })
    const before = version()
    const cheaper = await dealing.request(previewTerms, await draftOf({ feeRate: ratio(900) }))
    expect(cheaper).toMatchObject({
      changes: [{ field: 'feeRate', before: '0.001', after: '0.0009' }],
      isWorse: false,
      needsSecond: false,
      positions: 0,
      pendingOrders: 1,
    })
    const dearer = await draftOf({ feeRate: ratio(1_100) })
    expect(await dealing.refusalOf(previewTerms, dearer)).toBe('noticeTooShort')
    const off = await dealing.request(previewTerms, await draftOf({ isEnabled: false }))
    expect(off).toMatchObject({ isWorse: true, needsSecond: true })
    expect((off.earliestAt ?? 0) - off.effectiveAt).toBeGreaterThanOrEqual(DAY_MS)
    const noticed = await dealing.request(
      previewTerms,
      await draftOf({ feeRate: ratio(1_100) }, { effect: 'earliest' }),
    )
    expect(noticed).toMatchObject({ isWorse: true, needsSecond: false })
    expect(version()).toBe(before)
  })

  test('change at once in the traders’ favour; to their disadvantage they are announced, and can be withdrawn', async () => {
    expect(await send({ feeRate: ratio(900) })).toEqual({ approvalId: null })
    expect((await rowOf()).terms.feeRate).toBe(900)
    expect(await send({ feeRate: ratio(1_000) }, { effect: 'earliest' })).toEqual({ approvalId: null })
    expect(await rowOf()).toMatchObject({ announced: 1, terms: { feeRate: 900 } })
    await server().deployment.engine.caughtUp()
    const { changes } = await dealing.request(listTermsHistory, { page: 1, status: 'announced' })
    expect(changes).toMatchObject([
      {
        subject: 'EURUSD',
        author: dealing.name,
        second: null,
        reason: 'a test',
        changes: [{ field: 'feeRate', before: '0.0009', after: '0.001' }],
      },
    ])
    const withdraw = { changeId: changes[0]?.changeId ?? 0, reason: 'a mistake' }
    expect(await dealing.refusalOf(withdrawTerms, { ...withdraw, reason: ' ' })).toBe('reasonMissing')
    expect(await dealing.refusalOf(withdrawTerms, withdraw)).toBeNull()
    expect(await dealing.refusalOf(withdrawTerms, withdraw)).toBe('termsUnknown')
    expect((await rowOf()).announced).toBe(0)
  })

  test('need a different second operator at short notice', async () => {
    const { approvalId } = await send({ isEnabled: false })
    expect((await rowOf()).terms.isEnabled).toBe(true)
    expect(await decide(approvalId, dealing)).toBe('sameOperator')
    expect(await decide(approvalId)).toBeNull()
    expect((await rowOf()).terms.isEnabled).toBe(false)
    expect(await decide(approvalId)).toBe('caseEnded')
    await server().deployment.engine.caughtUp()
    const { changes } = await dealing.request(listTermsHistory, { page: 1, status: 'inForce' })
    expect(changes[0]).toMatchObject({ author: dealing.name, second: second.name })
    const { queries } = server().deployment.database
    const act = await queries
      .selectFrom('desk_act')
      .selectAll()
      .where('case_key', '=', `approval:${approvalId}`)
      .where('act', '=', 'changeTerms')
      .where('before', 'is not', null)
      .executeTakeFirstOrThrow()
    expect(act).toMatchObject({ second_name: second.name, outcome: 'done', before: '{"isEnabled":"yes"}' })
    expect(await send({ isEnabled: true })).toEqual({ approvalId: null })
  })

  test('do not change when the second operator rejects', async () => {
    const { approvalId } = await send({ isEnabled: false })
    expect(await decide(approvalId, second, false)).toBeNull()
    expect((await rowOf()).terms.isEnabled).toBe(true)
  })

  test('announce a mark-up, with no shorter notice by a second operator', async () => {
    expect((await rowOf()).terms.markUp).toBe(0)
    const markUp = await draftOf({ markUp: ratio(100) }, { effect: 'earliest' })
    expect(await dealing.request(previewTerms, markUp)).toMatchObject({
      changes: [{ field: 'markUp', before: '0', after: '0.0001' }],
      isWorse: true,
      needsSecond: false,
    })
    expect(await dealing.refusalOf(previewTerms, await draftOf({ markUp: ratio(100) }))).toBe(
      'noticeTooShort',
    )
    await changeInstrument(server().deployment.engine, EURUSD, { markUp: ratio(100) })
    expect((await rowOf()).terms.markUp).toBe(100)
    const trader = await newTrader(server())
    await server().price('EURUSD', [1.1, 1.10006])
    expect(await trader.order()).toMatchObject({ openPrice: 1.10017 })
    expect(await send({ markUp: ratio(0) })).toEqual({ approvalId: null })
    await server().price('EURUSD', [1.1, 1.10006])
  })

  test('take a fixed margin per lot, which cannot change while an order is active', async () => {
    const GBPUSD = 2
    const fix = async (contractSize: number) => {
      const { terms, formKey } = await rowOf(GBPUSD)
      return dealing.refusalOf(changeTerms, {
        ...NOTHING,
        kind: 'instrument',
        instrumentId: GBPUSD,
        formKey,
        effect: 'now',
        instrument: { ...terms, marginMode: 'fixed', contractSize },
        reason: 'a lot costs the same',
      })
    }
    for (const absurd of [0, -1_000, 1_000_000_001]) expect(await fix(absurd)).toBe('termsInvalid')
    expect(await fix(1_000)).toBe('noticeTooShort')
    const fixed = { marginMode: 'fixed', contractSize: 1_000 } as const
    await changeInstrument(server().deployment.engine, GBPUSD, fixed)
    await server().price('GBPUSD', [1.25, 1.2502])
    const trader = await newTrader(server())
    const order = await trader.order({ instrumentId: GBPUSD, lots: lots(2_500), leverage: 10 })
    expect(order).toMatchObject({ originalMargin: 250_000_000n, fee: 250_000n })
    expect(order.instrument).toMatchObject({ marginMode: 'fixed', contractSize: 1_000 })
    expect(order.receipts[0]?.terms).toBe(version())
    expect(await fix(2_000)).toBe('termsFixed')
  })

  test('set the order of existing sources, which is shown with the feeds', async () => {
    const [source] = (await dealing.request(listFeeds, null)).sources
    const { approvalId } = await send({ sourceOrder: [source?.name ?? ''] })
    expect(await decide(approvalId)).toBeNull()
    expect((await rowOf()).terms.sourceOrder).toEqual([source?.name])
    await server().price('EURUSD', [1.1, 1.10006])
    const row = async () =>
      (await dealing.request(listFeeds, null)).instruments.find(({ instrumentId }) => instrumentId === EURUSD)
    expect(await row()).toMatchObject({ source: source?.name, sourceOrder: [source?.name] })
    expect(await decide((await send({ sourceOrder: [] })).approvalId)).toBeNull()
  })

  test('refuse a form, and an approval, older than another operator’s change', async () => {
    const { approvalId } = await send({ isEnabled: false })
    const stale = await draftOf({ lotMax: lots(500_000) })
    expect(await send({ swapSell: ratio(10) })).toEqual({ approvalId: null })
    expect(await dealing.refusalOf(changeTerms, { ...stale, reason: 'late' })).toBe('formOutdated')
    expect(await decide(approvalId)).toBe('formOutdated')
    expect((await rowOf()).terms).toMatchObject({ swapSell: 10, lotMax: 1_000_000 })
  })

  test.each<[string, Partial<InstrumentTerms>, string, RegExp]>([
    ['no decimals with a spread of 0.1', { priceDecimals: 0 }, 'minStopDistance', /more digits/],
    ['a mark-up of half the price', { markUp: ratio(500_000) }, 'markUp', /range/],
    ['an unknown source', { sourceOrder: ['ws:nowhere:1'] }, 'sourceOrder', /has this name/],
    ['a source named twice', { sourceOrder: ['ws:a', 'ws:a'] }, 'sourceOrder', /name|twice/],
    ['a leverage of zero', { leverages: [0] }, 'leverages', /above zero/],
    ['a step of zero', { lotStep: lots(0) }, 'lotStep', /above zero/],
    ['a minimum above the maximum of lots', { lotMin: lots(2_000_000) }, 'lotMax', /below the minimum/],
    ['unknown hours', { session: 'moon' }, 'session', /no such trading hours/],
  ])(
    '%s is refused with field and reason, and recorded in the audit log',
    async (_what, change, field, words) => {
      const before = version()
      const draft = { ...(await draftOf(change)), reason: 'nonsense' }
      const refused = await dealing.try(changeTerms, draft)
      expect(refused).toMatchObject({ ok: false, reason: 'termsInvalid', details: { field } })
      expect(refused).toMatchObject({ message: expect.stringMatching(words) as string })
      expect(version()).toBe(before)
      const { queries } = server().deployment.database
      const last = await queries.selectFrom('desk_act').selectAll().orderBy('id', 'desc').executeTakeFirst()
      expect(last).toMatchObject({ outcome: 'termsInvalid', reason: 'nonsense', operator_name: dealing.name })
    },
  )

  test('create an instrument, list it at once, and disable it again', async () => {
    await dealing.request(saveCategory, {
      id: null,
      version: 0,
      code: 'Exotics',
      behind: null,
      reason: 'requested',
      names: [{ language: 'en', name: 'Exotics' }],
    })
    const { terms } = await rowOf()
    const made = { ...terms, code: 'EURDKK', showCode: 'EUR/DKK', quoteCurrency: 'DKK', category: 'Exotics' }
    const draft = { ...NOTHING, kind: 'instrument', formKey: NEW_FORM_KEY, effect: 'now' } as const
    const request = { ...draft, instrument: made, reason: 'requested' }
    // No pair converts kroner to dollars yet.
    expect(await dealing.try(changeTerms, request)).toMatchObject({
      reason: 'termsInvalid',
      details: { field: 'quoteCurrency' },
    })
    const pair = { ...made, baseCurrency: 'USD', code: 'USDDKK', showCode: 'USD/DKK' }
    expect(await dealing.request(changeTerms, { ...request, instrument: pair })).toEqual({ approvalId: null })
    const row = (await dealing.request(listDeskInstruments, { search: '' })).instruments.find(
      (one) => one.terms.code === 'USDDKK',
    )
    expect(row).toMatchObject({ id: 56, source: null, terms: { isEnabled: true, category: 'Exotics' } })
    expect(await dealing.request(changeTerms, { ...request, instrument: made })).toEqual({ approvalId: null })
    const off = { ...request, instrumentId: 57, instrument: { ...made, isEnabled: false } }
    const { approvalId } = await dealing.request(changeTerms, { ...off, formKey: (await rowOf(57)).formKey })
    expect(await decide(approvalId)).toBeNull()
    expect((await rowOf(57)).terms.isEnabled).toBe(false)
  })

  test('refuse a session that ends before it begins, and accept a new holiday', async () => {
    const { sessions } = await dealing.request(listDeskSessions, null)
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
      reason: 'termsInvalid',
      details: { field: 'windows' },
    })
    const holidays = [...forex.terms.holidays, { date: '2031-05-01', closesAt: '12:00' }]
    const session = { ...forex.terms, holidays }
    const { approvalId } = await dealing.request(changeTerms, { ...draft, session })
    expect(await decide(approvalId)).toBeNull()
    expect((await dealing.request(listDeskSessions, null)).sessions).toContainEqual(
      expect.objectContaining({ terms: session }),
    )
  })

  test('announce an earlier stop-out, and apply a later one at once', async () => {
    const { terms, formKey } = await dealing.request(getTradingTerms, null)
    const draft = { ...NOTHING, kind: 'settings', effect: 'now', formKey, reason: 'a test' } as const
    const worse = { ...draft, settings: { ...terms, stopOutLevel: 70 } }
    expect(await dealing.refusalOf(previewTerms, worse)).toBe('noticeTooShort')
    const senseless = { ...draft, settings: { ...terms, warningLevel: 10 } }
    expect(await dealing.try(changeTerms, senseless)).toMatchObject({ details: { field: 'warningLevel' } })
    const currency = { ...draft, settings: { ...terms, accountCurrency: 'EUR' } }
    expect(await dealing.refusalOf(changeTerms, currency)).toBe('termsFixed')
    const later = { ...draft, settings: { ...terms, stopOutLevel: terms.stopOutLevel - 1 } }
    expect(await dealing.request(changeTerms, later)).toEqual({ approvalId: null })
  })

  test('announce settings of copying to users, and require a legal basis for real money', async () => {
    const { terms, formKey } = await dealing.request(getTradingTerms, null)
    expect(terms).toMatchObject({ isDemoCopyOn: true, isRealCopyOn: false, maxCopiesPerUser: 20 })
    const draft = { ...NOTHING, kind: 'settings', formKey, reason: 'a test' } as const
    const real = { ...terms, isRealCopyOn: true }
    const without = { ...draft, effect: 'earliest', settings: real } as const
    expect(await dealing.try(previewTerms, without)).toMatchObject({ details: { field: 'copyLegalBasis' } })
    const settings = { ...real, copyLegalBasis: ' Licence 12 ', copyMinAmount: money(250_500_000n) }
    expect(await dealing.refusalOf(changeTerms, { ...draft, effect: 'now', settings })).toBe('noticeTooShort')
    await dealing.request(changeTerms, { ...draft, effect: 'earliest', settings })
    const [announced] = valueOf(await clientOf(server().url).call(listTermsChanges, null))
    expect(announced?.fields).toEqual([
      { field: 'isRealCopyOn', before: 'no', after: 'yes' },
      { field: 'copyLegalBasis', before: '', after: 'Licence 12' },
      { field: 'copyMinAmount', before: '100', after: '250.5' },
    ])
    await dealing.request(withdrawTerms, { changeId: announced?.id ?? 0, reason: 'a test' })
  })

  test('change the two-operator limit only with compliance or an administrator, in either direction', async () => {
    const { terms, formKey } = await dealing.request(getTradingTerms, null)
    const draft = { ...NOTHING, kind: 'settings', effect: 'now', formKey, reason: 'a test' } as const
    for (const fourEyesLimit of [terms.fourEyesLimit / 2n, terms.fourEyesLimit * 100n]) {
      const settings = { ...terms, fourEyesLimit: money(fourEyesLimit) }
      const { approvalId } = await dealing.request(changeTerms, { ...draft, settings })
      expect(await decide(approvalId, dealing)).toBe('roleRefused')
      expect(await decide(approvalId, dealer)).toBe('roleRefused')
      expect(server().deployment.engine.state().settings.fourEyesLimit).toBe(terms.fourEyesLimit)
      expect(await decide(approvalId, second, false)).toBeNull()
    }
    const settings = { ...terms, fourEyesLimit: money(terms.fourEyesLimit + 1n) }
    const { approvalId } = await dealing.request(changeTerms, { ...draft, settings })
    expect(await decide(approvalId)).toBeNull()
    expect(server().deployment.engine.state().settings.fourEyesLimit).toBe(terms.fourEyesLimit + 1n)
  })

  test('withdraw an announced two-operator limit only with compliance or an administrator', async () => {
    const { engine } = server().deployment
    const { terms, formKey } = await dealing.request(getTradingTerms, null)
    const draft = { ...NOTHING, kind: 'settings', formKey, reason: 'a test' } as const
    const settings = { ...terms, fourEyesLimit: money(terms.fourEyesLimit - 1n) }
    const later = { effect: 'at', effectiveAt: server().deployment.market.now() + 30 * DAY_MS } as const
    const announced = await dealing.request(changeTerms, { ...draft, ...later, settings })
    expect(await decide(announced.approvalId)).toBeNull()
    const changeId = engine.state().lastChangeId
    const withdraw = { changeId, reason: 'a mistake' }
    const { approvalId } = await dealing.request(withdrawTerms, withdraw)
    expect(engine.state().announced.has(changeId)).toBe(true)
    expect(await decide(approvalId, dealing)).toBe('roleRefused')
    expect(await decide(approvalId, dealer)).toBe('roleRefused')
    expect(await decide(approvalId)).toBeNull()
    expect(engine.state().announced.has(changeId)).toBe(false)
    await engine.caughtUp()
    const shown = valueOf(await clientOf(server().url).call(listTermsChanges, null))
    expect(shown.find(({ id }) => id === changeId)?.withdrawnAt).not.toBeNull()
    expect(await dealing.refusalOf(withdrawTerms, withdraw)).toBe('termsUnknown')
  })

  test('tell users at once which announced changes a new one withdraws, and restore nothing later', async () => {
    const { engine, market } = server().deployment
    const { terms, formKey } = await dealing.request(getTradingTerms, null)
    const draft = { ...NOTHING, kind: 'settings', formKey, reason: 'a test' } as const
    const { stopOutLevel } = terms
    const soon = { effect: 'at', effectiveAt: market.now() + 10 * 60_000 } as const
    const first = { ...terms, stopOutLevel: stopOutLevel - 1 }
    expect(await dealing.request(changeTerms, { ...draft, ...soon, settings: first })).toEqual({
      approvalId: null,
    })
    const changeId = engine.state().lastChangeId
    const { formKey: key } = await dealing.request(getTradingTerms, null)
    const settings = { ...terms, stopOutLevel: stopOutLevel - 2 }
    const second = { ...draft, formKey: key, effect: 'now', settings } as const
    expect((await dealing.request(previewTerms, second)).withdraws).toEqual([
      {
        changeId,
        effectiveAt: soon.effectiveAt,
        changes: [{ field: 'stopOutLevel', before: `${stopOutLevel}`, after: `${stopOutLevel - 1}` }],
      },
    ])
    await dealing.request(changeTerms, second)
    expect(engine.state().announced.has(changeId)).toBe(false)
    await engine.caughtUp()
    const shown = valueOf(await clientOf(server().url).call(listTermsChanges, null))
    expect(shown.find(({ id }) => id === changeId)).toMatchObject({
      isInForce: false,
      withdrawnAt: expect.any(Number) as number,
      fields: [{ field: 'stopOutLevel', before: `${stopOutLevel - 2}`, after: `${stopOutLevel - 1}` }],
    })
  })

  test('verify after all these changes', async () => {
    const { deployment } = server()
    await deployment.engine.caughtUp()
    expect((await verify(deployment.database)).difference).toBeNull()
  })
})
