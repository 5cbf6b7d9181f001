import { describe, expect, it } from 'vitest'
import { demoHarness, effects } from '../../scenarios/harness.ts'
import { instrumentOf, usd } from '../../scenarios/market.ts'
import { ratio } from '../model/number.ts'
import { setTerms } from './change-terms.ts'
import type { Instrument } from '../model/instrument.ts'

/** A harness with changed terms of an instrument, and the price from before. */
function changedHarness(code: string, terms: Partial<Instrument>) {
  const harness = demoHarness()
  harness.tick(code, '1.00000', '1.00000')
  const instrument = { ...instrumentOf(code), ...terms }
  const change = { kind: 'instrument', instrument, listing: null } as const
  setTerms(
    harness.core,
    { type: 'termsSet', changeId: 1_000, effectiveAt: harness.now(), change },
    harness.now(),
  )
  return harness
}

describe('an instrument whose terms change', () => {
  it.each<[string, Partial<Instrument>]>([
    ['other digits', { priceDecimals: 4 }],
    ['another base currency', { baseCurrency: 'GBP' }],
    ['another quote currency', { quoteCurrency: 'CHF' }],
  ])('with %s has no price until there is a new one', (_what, terms) => {
    const harness = changedHarness('EURUSD', terms)
    expect(harness.state.quotes.has(instrumentOf('EURUSD').id)).toBe(false)
    expect(effects(harness.buy('EURUSD', { lots: '0.01' }))).toEqual(['refused stalePrice'])
  })

  it.each<[string, Partial<Instrument>]>([
    ['another fee', { feeRate: ratio(500) }],
    ['other leverages', { leverages: [10] }],
    ['another minimum distance', { minStopDistance: instrumentOf('GBPUSD').minStopDistance }],
  ])('with %s keeps its price', (_what, terms) => {
    const harness = changedHarness('EURUSD', terms)
    expect(effects(harness.buy('EURUSD', { lots: '0.01', leverage: 10 }))).toEqual(['1 positionOpened'])
  })

  it('with another quote currency is converted by the path of that currency', () => {
    const harness = changedHarness('GBPUSD', { quoteCurrency: 'CHF' })
    harness.tick('USDCHF', '0.80000', '0.80000')
    harness.tick('GBPUSD', '1.00000', '1.00000')
    harness.buy('GBPUSD', { lots: '0.01', leverage: 10 })
    // 1,000 CHF at 0.8 are 1,250 USD, of which a tenth is margin.
    expect(harness.state.orders.get(1)?.margin).toBe(usd('125'))
  })
})
