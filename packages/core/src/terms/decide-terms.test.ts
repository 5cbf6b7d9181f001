import { describe, expect, it } from 'vitest'
import { demoFloor, effects, openFloor, onlyEvent, remembered, type Floor } from '../../scenarios/floor.ts'
import { DEALER, instrumentOf, lotsOf, usd } from '../../scenarios/market.ts'
import { DEPLOYMENT } from '../author.ts'
import type { SetTerms, WithdrawTerms } from '../command.ts'
import type { Instrument } from './instrument.ts'
import { price, ratio } from '../money/number.ts'
import type { TermsChange, TradingSettings } from './terms.ts'

const DAY_MS = 86_400_000
const CONFIRMED = { ...DEALER, second: { id: 2, role: 'administrator' as const } }

const instrument = (terms: Partial<Instrument>): TermsChange => ({
  kind: 'instrument',
  instrument: { ...instrumentOf('EURUSD'), ...terms },
  listing: null,
})

const settings = (floor: Floor, changed: Partial<TradingSettings>): TermsChange => ({
  kind: 'settings',
  settings: { ...floor.state.settings, ...changed },
})

const asked = (change: TermsChange) => ({ type: 'setTerms', change, effectiveAt: null, by: DEALER }) as const

const set = (
  floor: Floor,
  change: TermsChange,
  { effectiveAt = null, by = DEALER }: Partial<Pick<SetTerms, 'effectiveAt' | 'by'>> = {},
) => effects(floor.operate<SetTerms>({ type: 'setTerms', change, effectiveAt, by }))

function pricedFloor() {
  const floor = demoFloor()
  floor.tick('EURUSD', '1.00000', '1.00000')
  return floor
}

describe('a change of terms', () => {
  it('holds at once, and the receipt names the version it was decided by', () => {
    const floor = pricedFloor()
    const before = onlyEvent(floor.buy('EURUSD', { lots: '0.01' }), 'positionOpened')
    expect(set(floor, instrument({ feeRate: ratio(500) }))).toEqual(['termsSet'])
    const after = onlyEvent(floor.buy('EURUSD', { lots: '0.01' }), 'positionOpened')
    expect([before.fee, after.fee]).toEqual([usd('0.1'), usd('0.05')])
    expect(after.receipt.terms).toBe(before.receipt.terms + 1)
    expect(floor.state.orders.get(1)?.fee).toBe(usd('0.1'))
  })

  it('to other digits lets nothing fill at a price of the old ones', () => {
    const floor = pricedFloor()
    expect(set(floor, instrument({ priceDecimals: 4 }))).toEqual(['termsSet'])
    expect(effects(floor.buy('EURUSD', { lots: '0.01' }))).toEqual(['refused stalePrice'])
    const dearer = { ...floor.state.instruments.get(1), feeRate: ratio(500) } as Instrument
    floor.tick('EURUSD', '1.00000', '1.00000')
    expect(set(floor, { kind: 'instrument', instrument: dearer, listing: null })).toEqual(['termsSet'])
    expect(effects(floor.buy('EURUSD', { lots: '0.01' }))).toEqual(['1 positionOpened'])
  })

  it('that was announced holds from its moment, whatever comes first then', () => {
    const floor = pricedFloor()
    const effectiveAt = floor.now() + DAY_MS
    expect(set(floor, instrument({ feeRate: ratio(2_000) }), { effectiveAt })).toEqual(['termsSet'])
    floor.wait(DAY_MS - 1)
    floor.tick('EURUSD', '1.00000', '1.00000')
    expect(onlyEvent(floor.buy('EURUSD', { lots: '0.01' }), 'positionOpened').fee).toBe(usd('0.1'))
    floor.wait(1)
    const opened = floor.buy('EURUSD', { lots: '0.01' })
    expect(effects(opened)).toEqual(['termsTookEffect', '2 positionOpened'])
    expect(floor.state.orders.get(2)?.fee).toBe(usd('0.2'))
    expect(floor.state.announced.size).toBe(0)
  })

  it('holds in the order of the moments, and before the prices of its own', () => {
    const floor = pricedFloor()
    const later = floor.now() + 2 * DAY_MS
    const hour = Math.ceil(floor.now() / 3_600_000) * 3_600_000
    set(floor, instrument({ feeRate: ratio(0) }), { effectiveAt: later })
    set(floor, instrument({ feeRate: ratio(900) }), { effectiveAt: hour })
    floor.wait(hour - floor.now())
    floor.clock()
    expect(floor.journal.at(-1)?.events).toMatchObject([
      { type: 'termsTookEffect', changeId: floor.state.lastChangeId },
      { type: 'pricesMarked', moment: hour },
    ])
    set(floor, instrument({ feeRate: ratio(800) }), { effectiveAt: later - 1 })
    floor.wait(3 * DAY_MS)
    floor.clock()
    const told = floor.journal.flatMap(({ events }) => events)
    const moments = told.flatMap((event) => (event.type === 'pricesMarked' ? event.moment : []))
    expect(moments).toEqual(moments.toSorted((a, b) => a - b))
    expect(floor.state.instruments.get(1)?.feeRate).toBe(0)
  })

  it('announced for the next millisecond waits for it', () => {
    const floor = pricedFloor()
    set(floor, instrument({ feeRate: ratio(0) }), { effectiveAt: floor.now() + 1 })
    expect(floor.state.instruments.get(1)?.feeRate).toBe(1_000)
    floor.wait(1)
    floor.clock()
    expect(floor.state.instruments.get(1)?.feeRate).toBe(0)
  })

  it('to another stop-out level is looked at with the next price, however safe the last one was', () => {
    const floor = demoFloor({ settings: { stopOutLevel: 50, demoBalance: usd('5000') } })
    floor.tick('EURUSD', '1.00000', '1.00000')
    floor.buy('EURUSD', { lots: '1', leverage: 30 })
    floor.tick('EURUSD', '1.00001', '1.00001')
    // 5,000 over 3,333 of margin: a level of 150 %.
    set(floor, settings(floor, { stopOutLevel: 160, warningLevel: 200 }), { by: CONFIRMED })
    expect(effects(floor.tick('EURUSD', '1.00001', '1.00001'))).toEqual(['1 positionClosed'])
  })

  it('that was announced can be taken back, once', () => {
    const floor = pricedFloor()
    set(floor, instrument({ feeRate: ratio(0) }), { effectiveAt: floor.now() + DAY_MS })
    const [changeId = 0] = floor.state.announced.keys()
    const withdraw = () => effects(floor.operate<WithdrawTerms>({ type: 'withdrawTerms', changeId }))
    expect([withdraw(), withdraw()]).toEqual([['termsWithdrawn'], ['refused termsUnknown']])
    floor.wait(2 * DAY_MS)
    floor.clock()
    expect(floor.state.instruments.get(1)?.feeRate).toBe(1_000)
  })

  it('that was announced does not come where an order has come to rest on it since', () => {
    const floor = pricedFloor()
    const effectiveAt = floor.now() + DAY_MS
    set(floor, instrument({ contractSize: 1_000 }), { effectiveAt })
    floor.buy('EURUSD', { lots: '0.01', target: '0.90000' })
    floor.wait(DAY_MS)
    expect(effects(floor.clock())).toContain('termsWithdrawn')
    expect(floor.state.instruments.get(1)?.contractSize).toBe(100_000)
    expect(floor.state.announced.size).toBe(0)
  })

  it('cannot lie in the past', () => {
    const floor = pricedFloor()
    expect(set(floor, instrument({}), { effectiveAt: floor.now() - 1 })).toEqual(['refused termsInvalid'])
  })
})

describe('a change to the traders’ disadvantage', () => {
  it.each<[string, (floor: Floor) => TermsChange]>([
    ['a higher fee', () => instrument({ feeRate: ratio(1_001) })],
    ['a dearer night', () => instrument({ swapRate: { buy: ratio(-1), sell: ratio(0) } })],
    ['a dearer night for sellers', () => instrument({ swapRate: { buy: ratio(0), sell: ratio(-1) } })],
    ['less leverage', () => instrument({ leverages: [1, 2, 5, 10, 20] })],
    ['an earlier stop-out', (floor) => settings(floor, { stopOutLevel: 60 })],
    ['another kind of fee', (floor) => settings(floor, { feeType: 'fixed' })],
    ['a shorter notice', (floor) => settings(floor, { noticeMs: 0 })],
  ])('%s is shown a day before, or confirmed by a second person', (_what, changeOf) => {
    const floor = pricedFloor()
    const change = changeOf(floor)
    expect(set(floor, change)).toEqual(['refused noticeTooShort'])
    expect(set(floor, change, { effectiveAt: floor.now() + DAY_MS - 1 })).toEqual(['refused noticeTooShort'])
    expect(set(floor, change, { effectiveAt: floor.now() + DAY_MS })).toEqual(['termsSet'])
    expect(set(floor, change, { by: CONFIRMED })).toEqual(['termsSet'])
  })

  it('is one too where it takes back what was announced to be better', () => {
    const floor = pricedFloor()
    const better = instrument({ feeRate: ratio(500) })
    expect(set(floor, better, { effectiveAt: floor.now() + 1_000 })).toEqual(['termsSet'])
    const back = instrument({ feeRate: ratio(1_000) })
    expect(set(floor, back, { effectiveAt: floor.now() + 2_000 })).toEqual(['refused noticeTooShort'])
    expect(set(floor, back, { effectiveAt: floor.now() + DAY_MS })).toEqual(['termsSet'])
  })

  it('is not confirmed by the same person twice', () => {
    const twice = { ...DEALER, second: { id: DEALER.id, role: 'administrator' as const } }
    expect(set(pricedFloor(), instrument({ feeRate: ratio(1_001) }), { by: twice })).toEqual([
      'refused sameOperator',
    ])
  })

  it('may be given at the start of the deployment', () => {
    const floor = pricedFloor()
    expect(set(floor, settings(floor, { stopOutLevel: 60 }), { by: DEPLOYMENT })).toEqual(['termsSet'])
    expect(floor.journal.at(-1)?.author).toEqual(DEPLOYMENT)
  })

  it('leaves margin and fee that were taken as they are', () => {
    const floor = pricedFloor()
    floor.buy('EURUSD', { lots: '1', leverage: 30 })
    const margin = floor.state.orders.get(1)?.margin
    set(floor, instrument({ leverages: [1, 2] }), { by: CONFIRMED })
    expect(floor.state.orders.get(1)?.margin).toBe(margin)
    expect(effects(floor.buy('EURUSD', { lots: '0.01', leverage: 30 }))).toEqual([
      'refused leverageNotOffered',
    ])
  })
})

describe('what an instrument is', () => {
  const fields: [string, Partial<Instrument>][] = [
    ['decimals', { priceDecimals: 4 }],
    ['units per lot', { contractSize: 1_000 }],
    ['margin mode', { marginMode: 'fixed' }],
  ]

  it.each(fields)('its %s, stays while an order lives on it', (_field, terms) => {
    const floor = pricedFloor()
    floor.buy('EURUSD', { lots: '0.01', target: '0.90000' })
    expect(set(floor, instrument(terms))).toEqual(['refused termsFixed'])
    floor.cancel(1)
    expect(set(floor, instrument(terms))).toEqual(['termsSet'])
  })

  it.each<[string, Partial<Instrument>]>([
    ['quote currency', { quoteCurrency: 'CHF' }],
    ['base currency', { baseCurrency: 'USD' }],
  ])('its %s, stays while an order lives on it', (_field, terms) => {
    const floor = pricedFloor()
    floor.tick('GBPUSD', '1.30000', '1.30000')
    floor.tick('EURGBP', '0.80000', '0.80000')
    floor.buy('EURGBP', { lots: '0.01', target: '0.70000' })
    const changed = { ...instrumentOf('EURGBP'), ...terms }
    const change: TermsChange = { kind: 'instrument', instrument: changed, listing: null }
    expect(set(floor, change)).toEqual(['refused termsFixed'])
    floor.cancel(1)
    expect(set(floor, change)).toEqual(['termsSet'])
  })

  it('stays while it converts the money of another', () => {
    const floor = pricedFloor()
    floor.tick('GER40', '10000.0', '10000.0')
    floor.buy('GER40', { lots: '0.1' })
    expect(set(floor, instrument({ priceDecimals: 4 }))).toEqual(['refused termsFixed'])
  })

  it('leads the money of living orders no other way', () => {
    const euroFloor = demoFloor({ settings: { accountCurrency: 'EUR' } })
    euroFloor.tick('EURUSD', '1.00000', '1.00000')
    euroFloor.tick('USDJPY', '100.000', '100.000')
    euroFloor.buy('USDJPY', { lots: '0.01' })
    const direct = { ...instrumentOf('USDJPY'), id: 77, code: 'EURJPY', baseCurrency: 'EUR' }
    const added: TermsChange = { kind: 'instrument', instrument: direct, listing: null }
    expect(set(euroFloor, added)).toEqual(['refused termsFixed'])
    euroFloor.tick('USDJPY', '100.000', '100.000')
    euroFloor.close(1)
    expect(set(euroFloor, added)).toEqual(['termsSet'])
  })

  it('stays a pair that leads the money of others to the account currency', () => {
    const floor = pricedFloor()
    expect(floor.operate<SetTerms>(asked(instrument({ quoteCurrency: 'CHF' })))).toMatchObject({
      ...{ rejected: 'termsInvalid', details: { field: 'quoteCurrency', why: 'stillConverts' } },
    })
  })

  it('has one code for ever', () => {
    expect(set(pricedFloor(), instrument({ code: 'EURUSX' }))).toEqual(['refused termsFixed'])
  })

  it.each<[string, Partial<Instrument>]>([
    ['leverages that fall', { leverages: [5, 2] }],
    ['a least size between two steps', { lotMin: lotsOf('0.015'), lotStep: lotsOf('0.01') }],
    ['a session nobody keeps', { session: 'moon' }],
    ['a fee below zero', { feeRate: ratio(-1) }],
    ['a distance below zero', { minStopDistance: price(-1) }],
    ['fixed margin where prices may be negative', { marginMode: 'fixed', allowsNegativePrice: true }],
  ])('%s is refused', (_what, terms) => {
    expect(set(pricedFloor(), instrument(terms))).toEqual(['refused termsInvalid'])
  })
})

it('the limit of two people is raised by two people', () => {
  const floor = pricedFloor()
  const raised = settings(floor, { fourEyesLimit: usd('1000000000') })
  expect(set(floor, raised)).toEqual(['refused secondOperatorNeeded'])
  expect(set(floor, settings(floor, { fourEyesLimit: usd('1') }))).toEqual(['termsSet'])
  expect(set(floor, raised, { by: CONFIRMED })).toEqual(['termsSet'])
})

it('the account currency never changes', () => {
  const floor = pricedFloor()
  expect(set(floor, settings(floor, { accountCurrency: 'EUR' }), { by: DEPLOYMENT })).toEqual([
    'refused termsFixed',
  ])
})

describe('switching an instrument off', () => {
  function heldFloor() {
    const floor = pricedFloor()
    floor.buy('EURUSD', { lots: '0.01', target: '0.90000' })
    floor.buy('EURUSD', { lots: '0.01', stopLoss: '0.95000' })
    return floor
  }

  it('ends its pending orders, refuses openings and lets positions close', () => {
    const floor = heldFloor()
    expect(set(floor, instrument({ isEnabled: false }))).toEqual(['termsSet'])
    expect(effects(floor.clock())).toEqual(['1 orderCancelled'])
    const ended = floor.journal.flatMap(({ events }) => events).find(({ type }) => type === 'orderCancelled')
    expect(ended).toMatchObject({ reason: 'withdrawnByOperator', receipt: { trigger: 'operator' } })
    expect(effects(floor.buy('EURUSD', { lots: '0.01' }))).toEqual(['refused instrumentDisabled'])
    expect(effects(floor.tick('EURUSD', '0.94000', '0.94000'))).toEqual(['2 positionClosed'])
  })

  it('lets no pending order open before it is withdrawn', () => {
    const floor = heldFloor()
    set(floor, instrument({ isEnabled: false }))
    expect(effects(floor.tick('EURUSD', '0.89000', '0.89000'))).toContain('1 orderCancelled')
    expect(floor.state.orders.size).toBe(0)
  })

  it('can be undone', () => {
    const floor = heldFloor()
    set(floor, instrument({ isEnabled: false }))
    floor.clock()
    set(floor, instrument({ isEnabled: true }))
    expect(effects(floor.buy('EURUSD', { lots: '0.01' }))).toEqual(['3 positionOpened'])
  })
})

describe('the calendar', () => {
  it('closes and opens markets from the moment it holds', () => {
    const floor = openFloor()
    const session = { name: 'fx', zone: 'UTC', windows: 'Sun 22:00-Fri 21:00', holidays: [] }
    expect(set(floor, { kind: 'calendar', session })).toEqual(['termsSet'])
    expect(floor.state.calendar.get('fx')?.zone).toBe('UTC')
    expect(set(floor, { kind: 'calendar', session: { ...session, windows: 'whenever' } })).toEqual([
      'refused termsInvalid',
    ])
    expect(set(floor, { kind: 'calendar', session: { ...session, zone: 'Moon/Base' } })).toEqual([
      'refused termsInvalid',
    ])
  })
})

it('all terms come back from the journal', () => {
  const floor = pricedFloor()
  set(floor, instrument({ feeRate: ratio(500) }))
  set(floor, instrument({ feeRate: ratio(3_000) }), { effectiveAt: floor.now() + DAY_MS })
  set(floor, settings(floor, { maxLivingOrders: 3 }))
  set(floor, {
    kind: 'source',
    instrumentId: 1,
    source: { kind: 'live', hours: 'session', freshnessMs: 30_000 },
  })
  expect(remembered(floor.replayed())).toEqual(remembered(floor.core))
})

it('an account has no more living orders than the setting says', () => {
  const floor = pricedFloor()
  set(floor, settings(floor, { maxLivingOrders: 2 }))
  floor.buy('EURUSD', { lots: '0.01' })
  floor.buy('EURUSD', { lots: '0.01', target: '0.90000' })
  expect(effects(floor.buy('EURUSD', { lots: '0.01' }))).toEqual(['refused tooManyOrders'])
  // One goes for the one that comes.
  expect(effects(floor.reverse(1))).toEqual(['1 positionClosed', '3 positionOpened'])
})
