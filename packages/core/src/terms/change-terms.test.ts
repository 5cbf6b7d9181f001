import { describe, expect, it } from 'vitest'
import {
  demoHarness,
  effects,
  createHarness,
  onlyEvent,
  snapshotOf,
  type Harness,
} from '../../scenarios/harness.ts'
import { DEALER, instrumentOf, lotsOf, usd } from '../../scenarios/market.ts'
import { DEPLOYMENT } from '../model/author.ts'
import type { SetTerms, WithdrawTerms } from '../model/command.ts'
import type { Instrument } from '../model/instrument.ts'
import { price, ratio } from '../model/number.ts'
import type { TermsChange, TradingSettings } from '../model/terms.ts'

const DAY_MS = 86_400_000

const instrument = (terms: Partial<Instrument>): TermsChange => ({
  kind: 'instrument',
  instrument: { ...instrumentOf('EURUSD'), ...terms },
  listing: null,
})

const settings = (harness: Harness, changed: Partial<TradingSettings>): TermsChange => ({
  kind: 'settings',
  settings: { ...harness.state.settings, ...changed },
})

const requested = (change: TermsChange) =>
  ({ type: 'setTerms', change, effectiveAt: null, by: DEALER }) as const

/** At once, as a deployment without real money may; the rules for operators are in `adverse-terms.test.ts`. */
const set = (
  harness: Harness,
  change: TermsChange,
  { effectiveAt = null, by = DEPLOYMENT }: Partial<Pick<SetTerms, 'effectiveAt' | 'by'>> = {},
) => effects(harness.operate<SetTerms>({ type: 'setTerms', change, effectiveAt, by }))

function pricedHarness() {
  const harness = demoHarness()
  harness.tick('EURUSD', '1.00000', '1.00000')
  return harness
}

describe('a change of terms', () => {
  it('takes effect at once, and the receipt names the version of the terms', () => {
    const harness = pricedHarness()
    const before = onlyEvent(harness.buy('EURUSD', { lots: '0.01' }), 'positionOpened')
    expect(set(harness, instrument({ feeRate: ratio(500) }))).toEqual(['termsSet'])
    const after = onlyEvent(harness.buy('EURUSD', { lots: '0.01' }), 'positionOpened')
    expect([before.fee, after.fee]).toEqual([usd('0.1'), usd('0.05')])
    expect(after.receipt.terms).toBe(before.receipt.terms + 1)
    expect(harness.state.orders.get(1)?.fee).toBe(usd('0.1'))
  })

  it('to other decimals prevents fills at an old price', () => {
    const harness = pricedHarness()
    expect(set(harness, instrument({ priceDecimals: 4 }))).toEqual(['termsSet'])
    expect(effects(harness.buy('EURUSD', { lots: '0.01' }))).toEqual(['refused stalePrice'])
    const dearer = { ...harness.state.instruments.get(1), feeRate: ratio(500) } as Instrument
    harness.tick('EURUSD', '1.00000', '1.00000')
    expect(set(harness, { kind: 'instrument', instrument: dearer, listing: null })).toEqual(['termsSet'])
    expect(effects(harness.buy('EURUSD', { lots: '0.01' }))).toEqual(['1 positionOpened'])
  })

  it('that was announced takes effect at its moment, before any command', () => {
    const harness = pricedHarness()
    const effectiveAt = harness.now() + DAY_MS
    expect(set(harness, instrument({ feeRate: ratio(2_000) }), { effectiveAt })).toEqual(['termsSet'])
    harness.wait(DAY_MS - 1)
    harness.tick('EURUSD', '1.00000', '1.00000')
    expect(onlyEvent(harness.buy('EURUSD', { lots: '0.01' }), 'positionOpened').fee).toBe(usd('0.1'))
    harness.wait(1)
    const opened = harness.buy('EURUSD', { lots: '0.01' })
    expect(effects(opened)).toEqual(['termsTookEffect', '2 positionOpened'])
    expect(harness.state.orders.get(2)?.fee).toBe(usd('0.2'))
    expect(harness.state.announced.size).toBe(0)
  })

  it('takes effect in order of time, and before the price snapshot of the same moment', () => {
    const harness = pricedHarness()
    const later = harness.now() + 2 * DAY_MS
    const hour = Math.ceil(harness.now() / 3_600_000) * 3_600_000
    // Of another subject, as it would otherwise be withdrawn by the earlier ones.
    set(harness, settings(harness, { maxLivingOrders: 7 }), { effectiveAt: later })
    const first = harness.state.lastChangeId
    set(harness, instrument({ feeRate: ratio(900) }), { effectiveAt: hour })
    harness.wait(hour - harness.now())
    harness.clock()
    expect(harness.journal.at(-1)?.events).toMatchObject([
      { type: 'termsTookEffect', changeId: harness.state.lastChangeId },
      { type: 'pricesMarked', moment: hour },
    ])
    set(harness, instrument({ feeRate: ratio(800) }), { effectiveAt: later - 1 })
    harness.wait(3 * DAY_MS)
    harness.clock()
    const reported = harness.journal.flatMap(({ events }) => events)
    const moments = reported.flatMap((event) => (event.type === 'pricesMarked' ? event.moment : []))
    expect(moments).toEqual(moments.toSorted((a, b) => a - b))
    const applied = reported.flatMap((event) => (event.type === 'termsTookEffect' ? event.changeId : []))
    expect(applied).toEqual([first + 1, first + 2, first])
  })

  it('announced for the next millisecond waits for it', () => {
    const harness = pricedHarness()
    set(harness, instrument({ feeRate: ratio(0) }), { effectiveAt: harness.now() + 1 })
    expect(harness.state.instruments.get(1)?.feeRate).toBe(1_000)
    harness.wait(1)
    harness.clock()
    expect(harness.state.instruments.get(1)?.feeRate).toBe(0)
  })

  it('to another stop-out level is applied with the next price', () => {
    const harness = demoHarness({ settings: { stopOutLevel: 50, demoBalance: usd('5000') } })
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { lots: '1', leverage: 30 })
    harness.tick('EURUSD', '0.98800', '0.98800')
    harness.tick('EURUSD', '0.97600', '0.97600')
    // 2,600 over 3,333 of margin: a level of 78 %.
    set(harness, settings(harness, { stopOutLevel: 80 }))
    expect(effects(harness.tick('EURUSD', '0.97600', '0.97600'))).toEqual(['1 positionClosed'])
  })

  it('that was announced can be withdrawn, once', () => {
    const harness = pricedHarness()
    set(harness, instrument({ feeRate: ratio(0) }), { effectiveAt: harness.now() + DAY_MS })
    const [changeId = 0] = harness.state.announced.keys()
    const withdraw = () => effects(harness.operate<WithdrawTerms>({ type: 'withdrawTerms', changeId }))
    expect([withdraw(), withdraw()]).toEqual([['termsWithdrawn'], ['refused termsUnknown']])
    harness.wait(2 * DAY_MS)
    harness.clock()
    expect(harness.state.instruments.get(1)?.feeRate).toBe(1_000)
  })

  it('that was announced is withdrawn if an order depends on it by then', () => {
    const harness = pricedHarness()
    const effectiveAt = harness.now() + DAY_MS
    set(harness, instrument({ contractSize: 1_000 }), { effectiveAt })
    harness.buy('EURUSD', { lots: '0.01', target: '0.90000' })
    harness.wait(DAY_MS)
    expect(effects(harness.clock())).toContain('termsWithdrawn')
    expect(harness.state.instruments.get(1)?.contractSize).toBe(100_000)
    expect(harness.state.announced.size).toBe(0)
  })

  it('cannot take effect in the past', () => {
    const harness = pricedHarness()
    expect(set(harness, instrument({}), { effectiveAt: harness.now() - 1 })).toEqual(['refused termsInvalid'])
  })
})

describe('lower leverage', () => {
  it('does not change margin and fee already charged', () => {
    const harness = pricedHarness()
    harness.buy('EURUSD', { lots: '1', leverage: 30 })
    const margin = harness.state.orders.get(1)?.margin
    set(harness, instrument({ leverages: [1, 2] }))
    expect(harness.state.orders.get(1)?.margin).toBe(margin)
    expect(effects(harness.buy('EURUSD', { lots: '0.01', leverage: 30 }))).toEqual([
      'refused leverageNotOffered',
    ])
  })
})

describe('the identity of an instrument', () => {
  const fields: [string, Partial<Instrument>][] = [
    ['decimals', { priceDecimals: 4 }],
    ['units per lot', { contractSize: 1_000 }],
    ['margin mode', { marginMode: 'fixed' }],
  ]

  it.each(fields)('its %s is fixed while it has an active order', (_field, terms) => {
    const harness = pricedHarness()
    harness.buy('EURUSD', { lots: '0.01', target: '0.90000' })
    expect(set(harness, instrument(terms))).toEqual(['refused termsFixed'])
    harness.cancel(1)
    expect(set(harness, instrument(terms))).toEqual(['termsSet'])
  })

  it.each<[string, Partial<Instrument>]>([
    ['quote currency', { quoteCurrency: 'CHF' }],
    ['base currency', { baseCurrency: 'USD' }],
  ])('its %s is fixed while it has an active order', (_field, terms) => {
    const harness = pricedHarness()
    harness.tick('GBPUSD', '1.30000', '1.30000')
    harness.tick('EURGBP', '0.80000', '0.80000')
    harness.buy('EURGBP', { lots: '0.01', target: '0.70000' })
    const changed = { ...instrumentOf('EURGBP'), ...terms }
    const change: TermsChange = { kind: 'instrument', instrument: changed, listing: null }
    expect(set(harness, change)).toEqual(['refused termsFixed'])
    harness.cancel(1)
    expect(set(harness, change)).toEqual(['termsSet'])
  })

  it('is fixed while it converts the currency of another', () => {
    const harness = pricedHarness()
    harness.tick('GER40', '10000.0', '10000.0')
    harness.buy('GER40', { lots: '0.1' })
    expect(set(harness, instrument({ priceDecimals: 4 }))).toEqual(['refused termsFixed'])
  })

  it('cannot change the conversion of active orders', () => {
    const euroHarness = demoHarness({ settings: { accountCurrency: 'EUR' } })
    euroHarness.tick('EURUSD', '1.00000', '1.00000')
    euroHarness.tick('USDJPY', '100.000', '100.000')
    euroHarness.buy('USDJPY', { lots: '0.01' })
    const direct = { ...instrumentOf('USDJPY'), id: 77, code: 'EURJPY', baseCurrency: 'EUR' }
    const added: TermsChange = { kind: 'instrument', instrument: direct, listing: null }
    expect(set(euroHarness, added)).toEqual(['refused termsFixed'])
    euroHarness.tick('USDJPY', '100.000', '100.000')
    euroHarness.close(1)
    expect(set(euroHarness, added)).toEqual(['termsSet'])
  })

  it('stays a conversion pair of others', () => {
    const harness = pricedHarness()
    expect(harness.operate<SetTerms>(requested(instrument({ quoteCurrency: 'CHF' })))).toMatchObject({
      rejected: 'termsInvalid',
      details: { field: 'quoteCurrency', why: 'stillConverts' },
    })
  })

  it('has a fixed code', () => {
    expect(set(pricedHarness(), instrument({ code: 'EURUSX' }))).toEqual(['refused termsFixed'])
  })

  it.each<[string, Partial<Instrument>]>([
    ['leverages that fall', { leverages: [5, 2] }],
    ['a least size between two steps', { lotMin: lotsOf('0.015'), lotStep: lotsOf('0.01') }],
    ['a session nobody keeps', { session: 'moon' }],
    ['a fee below zero', { feeRate: ratio(-1) }],
    ['a distance below zero', { minStopDistance: price(-1) }],
    ['fixed margin where prices may be negative', { marginMode: 'fixed', allowsNegativePrice: true }],
  ])('%s is refused', (_what, terms) => {
    expect(set(pricedHarness(), instrument(terms))).toEqual(['refused termsInvalid'])
  })
})

it('the account currency never changes', () => {
  const harness = pricedHarness()
  expect(set(harness, settings(harness, { accountCurrency: 'EUR' }))).toEqual(['refused termsFixed'])
})

describe('disabling an instrument', () => {
  function heldHarness() {
    const harness = pricedHarness()
    harness.buy('EURUSD', { lots: '0.01', target: '0.90000' })
    harness.buy('EURUSD', { lots: '0.01', stopLoss: '0.95000' })
    return harness
  }

  it('cancels its pending orders, rejects openings and allows closing', () => {
    const harness = heldHarness()
    expect(set(harness, instrument({ isEnabled: false }))).toEqual(['termsSet'])
    expect(effects(harness.clock())).toEqual(['1 orderCancelled'])
    const ended = harness.journal
      .flatMap(({ events }) => events)
      .find(({ type }) => type === 'orderCancelled')
    expect(ended).toMatchObject({ reason: 'withdrawnByOperator', receipt: { trigger: 'operator' } })
    expect(effects(harness.buy('EURUSD', { lots: '0.01' }))).toEqual(['refused instrumentDisabled'])
    expect(effects(harness.tick('EURUSD', '0.94000', '0.94000'))).toEqual(['2 positionClosed'])
  })

  it('allows no pending order to open before it is cancelled', () => {
    const harness = heldHarness()
    set(harness, instrument({ isEnabled: false }))
    expect(effects(harness.tick('EURUSD', '0.89000', '0.89000'))).toContain('1 orderCancelled')
    expect(harness.state.orders.size).toBe(0)
  })

  it('can be undone', () => {
    const harness = heldHarness()
    set(harness, instrument({ isEnabled: false }))
    harness.clock()
    set(harness, instrument({ isEnabled: true }))
    expect(effects(harness.buy('EURUSD', { lots: '0.01' }))).toEqual(['3 positionOpened'])
  })
})

describe('the calendar', () => {
  it('closes and opens markets from the moment it takes effect', () => {
    const harness = createHarness()
    const session = { name: 'fx', zone: 'UTC', windows: 'Sun 22:00-Fri 21:00', holidays: [] }
    expect(set(harness, { kind: 'calendar', session })).toEqual(['termsSet'])
    expect(harness.state.calendar.get('fx')?.zone).toBe('UTC')
    expect(set(harness, { kind: 'calendar', session: { ...session, windows: 'whenever' } })).toEqual([
      'refused termsInvalid',
    ])
    expect(set(harness, { kind: 'calendar', session: { ...session, zone: 'Moon/Base' } })).toEqual([
      'refused termsInvalid',
    ])
  })
})

it('all terms are restored from the journal', () => {
  const harness = pricedHarness()
  set(harness, instrument({ feeRate: ratio(500) }))
  set(harness, instrument({ feeRate: ratio(3_000) }), { effectiveAt: harness.now() + DAY_MS })
  set(harness, settings(harness, { maxLivingOrders: 3 }))
  set(harness, {
    kind: 'source',
    instrumentId: 1,
    source: { kind: 'live', hours: 'session', freshnessMs: 30_000 },
  })
  expect(snapshotOf(harness.replayed())).toEqual(snapshotOf(harness.core))
})

it('the setting limits the active orders of an account', () => {
  const harness = pricedHarness()
  set(harness, settings(harness, { maxLivingOrders: 2 }))
  harness.buy('EURUSD', { lots: '0.01' })
  harness.buy('EURUSD', { lots: '0.01', target: '0.90000' })
  expect(effects(harness.buy('EURUSD', { lots: '0.01' }))).toEqual(['refused tooManyOrders'])
  // One is closed for the one that opens.
  expect(effects(harness.reverse(1))).toEqual(['1 positionClosed', '3 positionOpened'])
})
