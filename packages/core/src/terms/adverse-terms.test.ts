import { describe, expect, it, test } from 'vitest'
import { demoHarness, effects, createHarness, type Harness } from '../../scenarios/harness.ts'
import { DEALER, instrumentOf, lotsOf, usd } from '../../scenarios/market.ts'
import { DEPLOYMENT, type Operator, type OperatorRole } from '../model/author.ts'
import type { EndDeposit, SetTerms, WithdrawTerms } from '../model/command.ts'
import { lots, money, price, ratio } from '../model/number.ts'
import { isRejection } from '../model/rejection.ts'
import type { SessionText } from '../calendar/trading-session.ts'
import { noticeEnd } from './adverse-terms.ts'
import type { Instrument } from '../model/instrument.ts'
import type { InstrumentSource, Listing, TermsChange, TradingSettings } from '../model/terms.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const agreedBy = (role: OperatorRole): Operator => ({ ...DEALER, second: { id: 2, role } })
const CONFIRMED = agreedBy('administrator')

const LISTING: Listing = {
  showCode: 'EUR/USD',
  name: null,
  category: 'Forex',
  logo: '',
  sort: 1,
  pricePip: 10,
  typicalSpread: 6,
  referencePrice: 108_500,
  yearlyVolatility: 70_000,
}
const BASE: Instrument = { ...instrumentOf('EURUSD'), lotMin: lots(200) }
const SESSION: SessionText = { name: 'fx', zone: 'UTC', windows: 'always', holidays: [] }
const SOURCE: InstrumentSource = { kind: 'live', hours: 'session', freshnessMs: null }

/** EURUSD around the clock, with a schedule and a source that can be changed. */
function harnessOf(): Harness {
  const harness = demoHarness({ settings: { stopOutLevel: 50 } })
  const seeded: TermsChange[] = [
    { kind: 'calendar', session: SESSION },
    { kind: 'instrument', instrument: BASE, listing: LISTING },
    { kind: 'source', instrumentId: 1, source: SOURCE },
  ]
  for (const change of seeded) expect(set(harness, change, { by: DEPLOYMENT })).toEqual(['termsSet'])
  return harness
}

const set = (
  harness: Harness,
  change: TermsChange,
  { effectiveAt = null, by = DEALER }: Partial<Pick<SetTerms, 'effectiveAt' | 'by'>> = {},
) => effects(harness.operate<SetTerms>({ type: 'setTerms', change, effectiveAt, by }))

const instrument =
  (terms: Partial<Instrument>, listing: Partial<Listing> = {}) =>
  (): TermsChange => ({
    kind: 'instrument',
    instrument: { ...BASE, ...terms },
    listing: { ...LISTING, ...listing },
  })
const settings =
  (changed: Partial<TradingSettings>) =>
  (harness: Harness): TermsChange => ({
    kind: 'settings',
    settings: { ...harness.state.settings, ...changed },
  })
const hours = (changed: Partial<SessionText>) => (): TermsChange => ({
  kind: 'calendar',
  session: { ...SESSION, ...changed },
})
const source = (changed: Partial<InstrumentSource>) => (): TermsChange => ({
  kind: 'source',
  instrumentId: 1,
  source: { ...SOURCE, ...changed },
})
const HOLIDAY = { windows: 'Mon 00:00-Fri 21:00', holidays: [{ date: '2031-01-01', closesAt: null }] }

type Case = [string, (harness: Harness) => TermsChange]

const WORSE: Case[] = [
  ['a higher fee', instrument({ feeRate: ratio(1_001) })],
  ['a dearer rollover', instrument({ swapRate: { buy: ratio(-1), sell: ratio(0) } })],
  ['a dearer rollover for sellers', instrument({ swapRate: { buy: ratio(1), sell: ratio(-1) } })],
  ['another triple day', instrument({ tripleSwapDay: 'fri' })],
  ['a mark-up', instrument({ markUp: ratio(1) })],
  ['less leverage', instrument({ leverages: [1, 2, 5, 10, 20] })],
  ['other units per lot', instrument({ contractSize: 200_000 })],
  ['another margin mode', instrument({ marginMode: 'fixed' })],
  ['another margin mode and contract size', instrument({ marginMode: 'fixed', contractSize: 1_000 })],
  ['other decimals', instrument({ priceDecimals: 4 })],
  ['a larger minimum lot', instrument({ lotMin: lotsOf('0.03') })],
  ['a smaller maximum lot', instrument({ lotMax: lotsOf('99') })],
  ['other lot steps', instrument({ lotStep: lots(50) })],
  ['a larger distance of stops', instrument({ minStopDistance: price(7) })],
  ['a wider suspect band', instrument({ suspectBand: ratio(30_000) })],
  ['a narrower suspect band', instrument({ suspectBand: ratio(10_000) })],
  ['a smaller maximum spread', instrument({ maxSpread: ratio(5_000) })],
  ['a freshness of its own', instrument({ freshnessMs: 1_000 })],
  ['another freshness of its source', source({ freshnessMs: 2_000 })],
  ['prices below zero', instrument({ allowsNegativePrice: true })],
  ['another price to begin with', instrument({}, { referencePrice: 200_000 })],
  ['an earlier stop-out', settings({ stopOutLevel: 60 })],
  ['another warning level', settings({ warningLevel: 150 })],
  ['another kind of fee', settings({ feeType: 'fixed' })],
  ['another freshness', settings({ freshnessMs: 1_000 })],
  ['fewer open orders', settings({ maxLivingOrders: 10 })],
  ['another demo balance', settings({ demoBalance: money(1n) })],
  ['a shorter notice', settings({ noticeMs: HOUR_MS })],
]

const SHORT: Case[] = [
  ['other hours', instrument({ session: 'fx' })],
  ['switching it off', instrument({ isEnabled: false })],
  ['another order of sources', instrument({ sourceOrder: ['ws:a'] })],
  ['a holiday', hours(HOLIDAY)],
  ['another zone', hours({ zone: 'Asia/Tokyo' })],
  ['another source that never closes', source({ hours: 'always' })],
  ['another source', source({ kind: 'recorded' })],
]

const BETTER: Case[] = [
  ['a lower fee', instrument({ feeRate: ratio(900) })],
  ['a better swap', instrument({ swapRate: { buy: ratio(1), sell: ratio(1) } })],
  ['more leverages', instrument({ leverages: [1, 2, 5, 10, 20, 25, 30] })],
  ['a smaller minimum lot', instrument({ lotMin: lots(100) })],
  ['a larger maximum lot', instrument({ lotMax: lots(2_000_000) })],
  ['a smaller distance of stops', instrument({ minStopDistance: price(0) })],
  ['texts', instrument({}, { showCode: 'EUR-USD', name: 'Euro', category: 'Others', sort: 9, pricePip: 1 })],
  ['a later stop-out', settings({ stopOutLevel: 10 })],
  ['a schedule that nobody keeps yet', hours({ name: 'new' })],
  ['a new instrument', instrument({ id: 77, code: 'XAGUSD', baseCurrency: 'XAG' }, { showCode: 'Silver' })],
]

describe('a change of terms by one operator', () => {
  test.each(WORSE)('%s needs full notice', (_what, changeOf) => {
    const harness = harnessOf()
    const change = changeOf(harness)
    expect(set(harness, change)).toEqual(['refused noticeTooShort'])
    const end = noticeEnd(harness.state, change, harness.now())
    expect(set(harness, change, { effectiveAt: end - 1 })).toEqual(['refused noticeTooShort'])
    expect(set(harness, change, { effectiveAt: end })).toEqual(['termsSet'])
  })

  test.each(WORSE)('%s needs full notice also with a second operator', (_what, changeOf) => {
    const harness = harnessOf()
    expect(set(harness, changeOf(harness), { by: CONFIRMED })).toEqual(['refused noticeTooShort'])
  })

  test.each(SHORT)('%s takes effect at short notice only with a second operator', (_what, changeOf) => {
    const harness = harnessOf()
    expect(set(harness, changeOf(harness))).toEqual(['refused secondOperatorNeeded'])
    expect(set(harness, changeOf(harness), { effectiveAt: harness.now() + HOUR_MS })).toEqual([
      'refused secondOperatorNeeded',
    ])
    expect(set(harness, changeOf(harness), { by: CONFIRMED })).toEqual(['termsSet'])
  })

  test.each(BETTER)('%s takes effect at once', (_what, changeOf) => {
    const harness = harnessOf()
    expect(set(harness, changeOf(harness))).toEqual(['termsSet'])
  })

  it('that adds only a holiday or an early close needs a second operator at short notice', () => {
    const week = hours({ windows: HOLIDAY.windows })
    for (const closesAt of [null, '12:00']) {
      const harness = harnessOf()
      set(harness, week(), { by: DEPLOYMENT })
      const change = hours({ ...HOLIDAY, holidays: [{ date: '2031-01-01', closesAt }] })()
      expect(set(harness, change)).toEqual(['refused secondOperatorNeeded'])
    }
  })

  it('that adds a holiday to others needs a second operator at short notice', () => {
    const harness = harnessOf()
    const [holiday] = HOLIDAY.holidays
    set(harness, hours(HOLIDAY)(), { by: DEPLOYMENT })
    const two = hours({
      ...HOLIDAY,
      holidays: [...(holiday ? [holiday] : []), { date: '2031-01-02', closesAt: null }],
    })
    expect(set(harness, two())).toEqual(['refused secondOperatorNeeded'])
  })

  it('takes effect at once where it enables an instrument', () => {
    const harness = harnessOf()
    set(harness, instrument({ isEnabled: false })(), { by: CONFIRMED })
    expect(set(harness, instrument({})())).toEqual(['termsSet'])
  })

  it('needs full notice if any of its fields does', () => {
    const both = instrument({ isEnabled: false, feeRate: ratio(1_001) })
    expect(set(harnessOf(), both(), { by: CONFIRMED })).toEqual(['refused noticeTooShort'])
  })

  it('of the freshness of a source was possible at short notice by the rules of older journals', () => {
    const harness = harnessOf()
    const change = source({ freshnessMs: 2_000 })()
    const command = { type: 'setTerms', change, effectiveAt: null, by: CONFIRMED } as const
    expect(effects(harness.operate<SetTerms>({ ...command, rules: 2 }))).toEqual(['termsSet'])
  })

  it('is also compared with announced improvements', () => {
    const harness = harnessOf()
    const better = instrument({ feeRate: ratio(500) })()
    expect(set(harness, better, { effectiveAt: harness.now() + 1_000 })).toEqual(['termsSet'])
    const back = instrument({})()
    expect(set(harness, back, { effectiveAt: harness.now() + 2_000 })).toEqual(['refused noticeTooShort'])
    const end = noticeEnd(harness.state, back, harness.now())
    expect(set(harness, back, { effectiveAt: end })).toEqual(['termsSet'])
  })

  it('is not confirmed by the same operator twice', () => {
    const twice: Operator = { ...DEALER, second: { id: DEALER.id, role: 'administrator' } }
    expect(set(harnessOf(), hours(HOLIDAY)(), { by: twice })).toEqual(['refused sameOperator'])
  })
})

describe('an announced change', () => {
  it('does not undo what is decided after it and holds before it', () => {
    const harness = harnessOf()
    const soon = { effectiveAt: harness.now() + 10 * 60_000 }
    expect(set(harness, settings({ stopOutLevel: 49 })(harness), soon)).toEqual(['termsSet'])
    expect(set(harness, settings({ stopOutLevel: 20 })(harness))).toEqual(['termsSet', 'termsWithdrawn'])
    harness.wait(HOUR_MS)
    harness.clock()
    expect(harness.state.settings.stopOutLevel).toBe(20)
  })

  it('does not switch an instrument on that two operators have switched off', () => {
    const harness = harnessOf()
    const soon = { effectiveAt: harness.now() + HOUR_MS }
    expect(set(harness, instrument({ feeRate: ratio(900) })(), soon)).toEqual(['termsSet'])
    const off = instrument({ isEnabled: false })()
    expect(set(harness, off, { by: CONFIRMED })).toEqual(['termsSet', 'termsWithdrawn'])
    harness.wait(HOUR_MS)
    harness.clock()
    expect(harness.state.instruments.get(1)?.isEnabled).toBe(false)
  })

  it('is withdrawn by one announced after it for an earlier moment, at once', () => {
    const harness = harnessOf()
    const [first, second] = [HOUR_MS, 2 * HOUR_MS].map((ms) => ({ effectiveAt: harness.now() + ms }))
    expect(set(harness, settings({ stopOutLevel: 49 })(harness), second)).toEqual(['termsSet'])
    expect(set(harness, settings({ stopOutLevel: 20 })(harness), first)).toEqual([
      'termsSet',
      'termsWithdrawn',
    ])
    expect([...harness.state.announced.values()].map(({ effectiveAt }) => effectiveAt)).toEqual([
      first?.effectiveAt,
    ])
  })

  it('of another subject, or for the same moment or an earlier one, stays', () => {
    const harness = harnessOf()
    const at = (ms: number) => ({ effectiveAt: harness.now() + ms })
    expect(set(harness, settings({ stopOutLevel: 49 })(harness), at(HOUR_MS))).toEqual(['termsSet'])
    expect(set(harness, instrument({ feeRate: ratio(900) })())).toEqual(['termsSet'])
    expect(set(harness, settings({ stopOutLevel: 20 })(harness), at(HOUR_MS))).toEqual(['termsSet'])
    expect(set(harness, settings({ stopOutLevel: 10 })(harness), at(2 * HOUR_MS))).toEqual(['termsSet'])
    expect(harness.state.announced.size).toBe(3)
  })

  it('by the rules of older journals stays, and applies what it contains', () => {
    const harness = harnessOf()
    const change = settings({ stopOutLevel: 20 })(harness)
    const soon = { effectiveAt: harness.now() + HOUR_MS }
    expect(set(harness, settings({ stopOutLevel: 49 })(harness), soon)).toEqual(['termsSet'])
    const command = { type: 'setTerms', change, effectiveAt: null, by: DEALER } as const
    expect(effects(harness.operate<SetTerms>({ ...command, rules: 2 }))).toEqual(['termsSet'])
    expect(harness.journal.at(-1)?.events).toMatchObject([{ rules: 2 }])
    expect(harness.state.announced.size).toBe(1)
  })
})

describe('a notice', () => {
  const FOREX =
    'Sun 17:05-Mon 16:55; Mon 17:05-Tue 16:55; Tue 17:05-Wed 16:55; Wed 17:05-Thu 16:55; Thu 17:05-Fri 16:55'
  const FRIDAY_NOON = Date.parse('2026-01-09T17:00Z')
  const weekly = (): { harness: Harness; change: TermsChange } => {
    const harness = createHarness()
    const session = { name: 'weekly', zone: 'America/New_York', windows: FOREX, holidays: [] }
    expect(set(harness, { kind: 'calendar', session }, { by: DEPLOYMENT })).toEqual(['termsSet'])
    const terms = { ...instrumentOf('EURUSD'), session: 'weekly' }
    set(harness, { kind: 'instrument', instrument: terms, listing: null }, { by: DEPLOYMENT })
    const change: TermsChange = {
      kind: 'instrument',
      instrument: { ...terms, feeRate: ratio(2_000) },
      listing: null,
    }
    return { harness, change }
  }

  it('does not count the weekend of an instrument', () => {
    const { harness, change } = weekly()
    // 4 h 55 min are left on Friday; the rest counts from Sunday 17:05 in New York.
    const rest = DAY_MS - (4 * HOUR_MS + 55 * 60_000)
    const sunday = Date.parse('2026-01-11T22:05Z')
    const daily = 10 * 60_000
    expect(noticeEnd(harness.state, change, FRIDAY_NOON)).toBe(sunday + rest)
    expect(noticeEnd(harness.state, change, FRIDAY_NOON, 2 * DAY_MS)).toBe(sunday + rest + DAY_MS + daily)
  })

  it('counts around the clock for settings, and where the source never closes', () => {
    const { harness, change } = weekly()
    expect(noticeEnd(harness.state, settings({ stopOutLevel: 60 })(harness), FRIDAY_NOON)).toBe(
      FRIDAY_NOON + DAY_MS,
    )
    set(harness, source({ hours: 'always' })(), { by: DEPLOYMENT })
    expect(noticeEnd(harness.state, change, FRIDAY_NOON)).toBe(FRIDAY_NOON + DAY_MS)
  })

  it('may end exactly at a close', () => {
    const { harness, change } = weekly()
    const left = 4 * HOUR_MS + 55 * 60_000
    expect(noticeEnd(harness.state, change, FRIDAY_NOON, left)).toBe(FRIDAY_NOON + left)
  })

  it('never ends if the market never opens', () => {
    const { harness, change } = weekly()
    const closed = { name: 'weekly', zone: 'UTC', windows: 'Mon 00:00-Mon 00:01', holidays: [] }
    const days = Array.from({ length: 60 }, (_, week) => ({
      date: new Date(Date.parse('2026-01-12T00:00Z') + week * 7 * DAY_MS).toISOString().slice(0, 10),
      closesAt: null,
    }))
    set(harness, { kind: 'calendar', session: { ...closed, holidays: days } }, { by: DEPLOYMENT })
    expect(noticeEnd(harness.state, change, FRIDAY_NOON)).toBe(Infinity)
    expect(set(harness, change, { effectiveAt: harness.now() + 1_000 * DAY_MS })).toEqual([
      'refused noticeTooShort',
    ])
  })
})

describe('the four-eyes limit', () => {
  const raised = settings({ fourEyesLimit: usd('1000000000') })
  const lowered = settings({ fourEyesLimit: usd('1') })
  const raisedForOperators = settings({ fourEyesOperatorLimit: usd('1000000000') })
  const loweredForOperators = settings({ fourEyesOperatorLimit: usd('1') })

  it.each([raised, lowered, raisedForOperators, loweredForOperators])(
    'needs two operators in either direction, however long the notice',
    (changeOf) => {
      const harness = harnessOf()
      const change = changeOf(harness)
      const later = { effectiveAt: harness.now() + 30 * DAY_MS }
      expect(set(harness, change)).toEqual(['refused secondOperatorNeeded'])
      expect(set(harness, change, later)).toEqual(['refused secondOperatorNeeded'])
      expect(set(harness, change, { by: CONFIRMED })).toEqual(['termsSet'])
    },
  )

  it.each<[OperatorRole, boolean]>([
    ['dealing', false],
    ['support', false],
    ['finance', false],
    ['compliance', true],
    ['administrator', true],
  ])('can be confirmed by %s: %s', (role, isTaken) => {
    const harness = harnessOf()
    expect(set(harness, raised(harness), { by: agreedBy(role) })).toEqual([
      isTaken ? 'termsSet' : 'refused secondOperatorNeeded',
    ])
  })

  it('cannot be restored by a change that one operator announced before', () => {
    const harness = harnessOf()
    const soon = { effectiveAt: harness.now() + HOUR_MS }
    expect(set(harness, settings({ stopOutLevel: 49 })(harness), soon)).toEqual(['termsSet'])
    expect(set(harness, lowered(harness), { by: CONFIRMED })).toEqual(['termsSet', 'termsWithdrawn'])
    harness.wait(HOUR_MS)
    harness.clock()
    expect(harness.state.settings).toMatchObject({ fourEyesLimit: usd('1'), stopOutLevel: 50 })
  })

  it('stays announced unless two operators withdraw it by a change that holds earlier', () => {
    const harness = harnessOf()
    const later = { effectiveAt: harness.now() + 30 * DAY_MS, by: CONFIRMED }
    expect(set(harness, lowered(harness), later)).toEqual(['termsSet'])
    const better = settings({ stopOutLevel: 40 })(harness)
    expect(set(harness, better)).toEqual(['refused secondOperatorNeeded'])
    expect(set(harness, better, { by: agreedBy('dealing') })).toEqual(['refused secondOperatorNeeded'])
    expect(set(harness, better, { by: CONFIRMED })).toEqual(['termsSet', 'termsWithdrawn'])
    expect(harness.state.announced.size).toBe(0)
  })

  it.each([lowered, loweredForOperators])('is withdrawn by two once its change is announced', (changeOf) => {
    const harness = harnessOf()
    const later = { effectiveAt: harness.now() + 30 * DAY_MS, by: CONFIRMED }
    expect(set(harness, changeOf(harness), later)).toEqual(['termsSet'])
    const [changeId = 0] = harness.state.announced.keys()
    const withdraw = (by: Operator, rules: 2 | 3 = 3) =>
      effects(harness.operate<WithdrawTerms>({ type: 'withdrawTerms', changeId, by, rules }))
    expect(withdraw(DEALER)).toEqual(['refused secondOperatorNeeded'])
    expect(withdraw(agreedBy('dealing'))).toEqual(['refused secondOperatorNeeded'])
    expect(withdraw(CONFIRMED)).toEqual(['termsWithdrawn'])
    expect(harness.journal.at(-1)?.events).toEqual([{ type: 'termsWithdrawn', changeId, rules: 3 }])
  })

  it('was withdrawn by one operator by the rules of older journals', () => {
    const harness = harnessOf()
    const later = { effectiveAt: harness.now() + 30 * DAY_MS, by: CONFIRMED }
    expect(set(harness, lowered(harness), later)).toEqual(['termsSet'])
    const [changeId = 0] = harness.state.announced.keys()
    const command = { type: 'withdrawTerms', changeId, by: DEALER, rules: 2 } as const
    expect(effects(harness.operate<WithdrawTerms>(command))).toEqual(['termsWithdrawn'])
    expect(harness.journal.at(-1)?.events).toEqual([{ type: 'termsWithdrawn', changeId }])
  })

  it('cannot be restored by one operator after an announced change', () => {
    const harness = harnessOf()
    const soon = { effectiveAt: harness.now() + HOUR_MS, by: CONFIRMED }
    expect(set(harness, lowered(harness), soon)).toEqual(['termsSet'])
    const before = settings({ stopOutLevel: 40 })(harness)
    expect(set(harness, before, { effectiveAt: harness.now() + 2 * HOUR_MS })).toEqual([
      'refused secondOperatorNeeded',
    ])
  })
})

describe('nobody sets', () => {
  const BOUNDS: [string, (harness: Harness) => TermsChange, string][] = [
    ['a freshness of an instrument below 1 s', instrument({ freshnessMs: 999 }), 'freshnessMs'],
    ['a freshness of all below 1 s', settings({ freshnessMs: 999 }), 'freshnessMs'],
    ['a notice below 1 h', settings({ noticeMs: HOUR_MS - 1 }), 'noticeMs'],
    ['a notice above 30 days', settings({ noticeMs: 30 * DAY_MS + 1 }), 'noticeMs'],
    ['a stop-out level below 10 %', settings({ stopOutLevel: 9 }), 'stopOutLevel'],
    ['a stop-out level above 90 %', settings({ stopOutLevel: 91 }), 'stopOutLevel'],
    ['a freshness of a source below 1 s', source({ freshnessMs: 999 }), 'freshnessMs'],
    ['a band below a tenth of the first', instrument({ suspectBand: ratio(1_999) }), 'suspectBand'],
    ['a spread below twice the typical one', instrument({ maxSpread: ratio(110) }), 'maxSpread'],
    ['a mark-up above 1 % a side', instrument({ markUp: ratio(10_001) }), 'markUp'],
    [
      'a swap above 100 % a year',
      instrument({ swapRate: { buy: ratio(-100_000_001), sell: ratio(0) } }),
      'swapBuy',
    ],
    [
      'a swap above 100 % a year for sellers',
      instrument({ swapRate: { buy: ratio(0), sell: ratio(100_000_001) } }),
      'swapSell',
    ],
  ]
  const refusedField = (harness: Harness, change: TermsChange, by: SetTerms['by']) => {
    const effectiveAt = harness.now() + 30 * DAY_MS
    const outcome = harness.operate<SetTerms>({ type: 'setTerms', change, effectiveAt, by })
    return isRejection(outcome) ? [outcome.rejected, outcome.details['field']] : null
  }

  test.each(BOUNDS)('%s', (_what, changeOf, field) => {
    for (const by of [DEALER, CONFIRMED, DEPLOYMENT]) {
      const harness = harnessOf()
      expect(refusedField(harness, changeOf(harness), by)).toEqual(['termsInvalid', field])
    }
  })

  test.each<[string, (harness: Harness) => TermsChange]>([
    ['1 s', instrument({ freshnessMs: 1_000 })],
    ['a notice of 1 h', settings({ noticeMs: HOUR_MS })],
    ['a notice of 30 days', settings({ noticeMs: 30 * DAY_MS })],
    ['a stop-out at 10 %', settings({ stopOutLevel: 10 })],
    ['a stop-out at 90 %', settings({ stopOutLevel: 90 })],
    ['a tenth of the band', instrument({ suspectBand: ratio(2_000) })],
    ['twice the typical spread', instrument({ maxSpread: ratio(111) })],
    ['1 % a side', instrument({ markUp: ratio(10_000) })],
    ['100 % a year', instrument({ swapRate: { buy: ratio(-100_000_000), sell: ratio(0) } })],
  ])('beyond the limits, but %s is within them', (_what, changeOf) => {
    const harness = harnessOf()
    expect(refusedField(harness, changeOf(harness), DEALER)).toBeNull()
  })

  it('the limit of a band follows from the first one, however often it is halved', () => {
    const harness = harnessOf()
    for (const band of [10_000, 5_000, 2_500])
      set(harness, instrument({ suspectBand: ratio(band) })(), { by: DEPLOYMENT })
    expect(harness.state.instruments.get(1)?.suspectBand).toBe(2_500)
    expect(refusedField(harness, instrument({ suspectBand: ratio(1_250) })(), DEALER)).toEqual([
      'termsInvalid',
      'suspectBand',
    ])
  })

  it('the limit of a spread follows from the first typical one, whatever is called typical later', () => {
    const harness = harnessOf()
    const narrower = { typicalSpread: 3, referencePrice: 217_000 }
    set(harness, instrument({}, narrower)(), { by: DEPLOYMENT })
    expect(harness.state.listings.get(1)).toMatchObject(narrower)
    const narrow = instrument({ maxSpread: ratio(110) }, narrower)()
    expect(refusedField(harness, narrow, DEALER)).toEqual(['termsInvalid', 'maxSpread'])
  })

  it('a band below 0.2 % or a spread below twice the typical one for a new instrument', () => {
    const harness = harnessOf()
    const silver = { id: 77, code: 'XAGUSD', baseCurrency: 'XAG' }
    const requested = (terms: Partial<Instrument>) =>
      refusedField(harness, instrument({ ...silver, ...terms }, { showCode: 'Silver' })(), CONFIRMED)
    expect(requested({ suspectBand: ratio(1_999) })).toEqual(['termsInvalid', 'suspectBand'])
    expect(requested({ maxSpread: ratio(110) })).toEqual(['termsInvalid', 'maxSpread'])
    expect(requested({ suspectBand: ratio(2_000), maxSpread: ratio(111) })).toBeNull()
  })

  it('old values of an instrument and of a source out of bounds stay while others change', () => {
    const harness = harnessOf()
    // As set before there were limits.
    const old: Partial<Instrument> = {
      freshnessMs: 300,
      suspectBand: ratio(1),
      maxSpread: ratio(1),
      markUp: ratio(20_000),
      swapRate: { buy: ratio(-200_000_000), sell: ratio(-200_000_000) },
    }
    harness.state.instruments.set(1, { ...BASE, ...old })
    harness.state.sources.set(1, { ...SOURCE, freshnessMs: 300 })
    const listing = { typicalSpread: 0 }
    expect(refusedField(harness, instrument({ ...old, feeRate: ratio(900) }, listing)(), DEALER)).toBeNull()
    expect(refusedField(harness, source({ freshnessMs: 300, kind: 'recorded' })(), DEALER)).toBeNull()
    for (const [field, worse] of Object.entries({
      freshnessMs: { freshnessMs: 301 },
      suspectBand: { suspectBand: ratio(2) },
      maxSpread: { maxSpread: ratio(2) },
      markUp: { markUp: ratio(19_999) },
      swapBuy: { swapRate: { buy: ratio(-199_999_999), sell: ratio(-200_000_000) } },
    }))
      expect(refusedField(harness, instrument({ ...old, ...worse }, listing)(), DEALER)).toEqual([
        'termsInvalid',
        field,
      ])
  })

  it('an old value out of bounds stays until it is changed itself', () => {
    const harness = harnessOf()
    // As set before there were limits.
    const old = { freshnessMs: 300, noticeMs: 60_000, stopOutLevel: 95, warningLevel: 120 }
    Object.assign(harness.state, { settings: { ...harness.state.settings, ...old } })
    expect(refusedField(harness, settings({ maxLivingOrders: 60 })(harness), DEALER)).toBeNull()
    for (const [field, changed] of Object.entries({
      freshnessMs: { freshnessMs: 400 },
      noticeMs: { noticeMs: 70_000 },
      stopOutLevel: { stopOutLevel: 94 },
    }))
      expect(refusedField(harness, settings(changed)(harness), DEALER)).toEqual(['termsInvalid', field])
  })

  it('a notice or a stop-out level out of bounds, except by the rules of older journals', () => {
    const harness = harnessOf()
    for (const changed of [{ noticeMs: 60_000 }, { stopOutLevel: 5 }]) {
      const change = settings(changed)(harness)
      const command = { type: 'setTerms', change, effectiveAt: harness.now() + 30 * DAY_MS } as const
      const outcome = harness.operate<SetTerms>({ ...command, by: DEALER, rules: 2 })
      expect(effects(outcome)).toEqual(['termsSet'])
    }
  })
})

describe('a start of the deployment', () => {
  const given = settings({ stopOutLevel: 60, fourEyesLimit: usd('5') })
  const realHarness = (deposit: string) => {
    const harness = createHarness({ settings: { stopOutLevel: 50 } })
    harness.openAccount('real')
    if (deposit === '0') return harness
    harness.send({ type: 'openDeposit', at: harness.now(), accountId: 1, amount: usd(deposit) })
    const ended = { type: 'endDeposit', caseId: 1, outcome: 'finished', amount: usd(deposit) } as const
    expect(effects(harness.operate<EndDeposit>({ ...ended, by: CONFIRMED }))).toEqual(['depositEnded'])
    return harness
  }

  it('changes settings at once while no real account holds money', () => {
    const harness = realHarness('0')
    expect(set(harness, given(harness), { by: DEPLOYMENT })).toEqual(['termsSet'])
  })

  it.each([
    settings({ stopOutLevel: 60 }),
    settings({ fourEyesLimit: usd('5') }),
    settings({ fourEyesOperatorLimit: usd('5') }),
  ])('announces with the full notice what would need two, once one does', (changeOf) => {
    const harness = realHarness('100')
    const change = changeOf(harness)
    expect(set(harness, change, { by: DEPLOYMENT })).toEqual(['refused noticeTooShort'])
    expect(set(harness, change, { by: DEPLOYMENT, effectiveAt: harness.now() + DAY_MS })).toEqual([
      'termsSet',
    ])
  })

  it('changes improvements at once', () => {
    const harness = realHarness('100')
    expect(set(harness, settings({ stopOutLevel: 10 })(harness), { by: DEPLOYMENT })).toEqual(['termsSet'])
  })
})

describe('an entry of before', () => {
  it('is checked by the first rules: two operators needed no notice, and nothing had limits', () => {
    const harness = harnessOf()
    const asBefore = (change: TermsChange, by: Operator) =>
      effects(harness.operate<SetTerms>({ type: 'setTerms', change, effectiveAt: null, by, rules: 1 }))
    expect(asBefore(instrument({ feeRate: ratio(1_001) })(), DEALER)).toEqual(['refused noticeTooShort'])
    expect(asBefore(instrument({ feeRate: ratio(1_001) })(), CONFIRMED)).toEqual(['termsSet'])
    expect(asBefore(instrument({ suspectBand: ratio(1) })(), DEALER)).toEqual(['termsSet'])
    expect(harness.journal.at(-1)?.events).toEqual([
      expect.not.objectContaining({ rules: expect.anything() }),
    ])
  })
})
