/** Stop-outs that wait for a market to open, for a price to be fresh, or for a first price. */
import { describe, expect, it } from 'vitest'
import { effects, figures, riskyHarness, type Harness } from '../../scenarios/harness.ts'
import { instrumentOf } from '../../scenarios/market.ts'

describe('a stop-out closes only positions on open markets with fresh prices', () => {
  /** A losing euro position and a sterling position; the account reaches its stop-out level after `fall`. */
  function twoMarkets(): Harness {
    const harness = riskyHarness('10000')
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.tick('GBPUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { leverage: 20, lots: '1' })
    harness.buy('GBPUSD', { leverage: 20, lots: '0.5' })
    return harness
  }
  const fall = (harness: Harness) => harness.tick('EURUSD', '0.93500', '0.93500')

  it('in the order of losses', () => {
    expect(effects(fall(twoMarkets()))).toEqual(['1 positionClosed'])
  })

  it('skipping closed markets', () => {
    const harness = twoMarkets()
    harness.tick('GBPUSD', '0.98000', '0.98000')
    harness.closeMarket('GBPUSD')
    // The remaining margin is 2,500, and 10,000 - 7.5 - 6,500 - 1,000 = 2,492.5 is left.
    expect(effects(fall(harness))).toEqual(['1 positionClosed'])
  })

  it('skipping stale prices', () => {
    const harness = twoMarkets()
    harness.wait(5_001)
    harness.tick('EURUSD', '0.94500', '0.94500')
    const outcome = harness.tick('GBPUSD', '0.94500', '0.94500', 5_001)
    expect(effects(outcome)).toEqual([])
    expect(effects(harness.tick('EURUSD', '0.94500', '0.94500'))).toEqual(['1 positionClosed'])
  })

  it.each([
    ['closed', (harness: Harness) => harness.closeMarket('EURUSD')],
    ['halted', (harness: Harness) => harness.halt('EURUSD', 'a storm')],
    ['halted with the whole market', (harness: Harness) => harness.mode('halted')],
  ])('and a tick of a %s instrument stops nobody out and cancels no pending order', (_name, stop) => {
    const harness = twoMarkets()
    harness.buy('EURUSD', { lots: '0.01', target: '0.50000' })
    stop(harness)
    expect(effects(fall(harness))).toEqual([])
    expect(figures(harness).equity * 2n).toBeLessThan(figures(harness).margin)
  })

  it('on the first tick of another of its instruments', () => {
    const harness = twoMarkets()
    harness.halt('EURUSD', 'a storm')
    fall(harness)
    expect(effects(harness.tick('GBPUSD', '1.00000', '1.00000'))).toEqual(['2 positionClosed'])
  })

  it('and closes the rest on its first tick afterwards', () => {
    const harness = twoMarkets()
    harness.halt('EURUSD', 'a storm')
    fall(harness)
    harness.halt('EURUSD', null)
    expect(effects(harness.tick('EURUSD', '0.93400', '0.93400'))).toEqual(['1 positionClosed'])
  })

  it('and keeps pending orders while nothing can be closed', () => {
    const harness = twoMarkets()
    harness.sell('EURUSD', { lots: '0.01', target: '1.50000' })
    expect(effects(harness.tick('EURUSD', '0.93500', '0.93500', 5_001))).toEqual([])
    expect(effects(harness.tick('EURUSD', '0.93500', '0.93500'))).toEqual([
      '3 orderCancelled',
      '1 positionClosed',
    ])
  })
})

describe('while a price is missing', () => {
  it('nobody is stopped out, because the equity is unknown', () => {
    const harness = riskyHarness('10100')
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.tick('GBPUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { leverage: 20 })
    harness.sell('GBPUSD', { leverage: 20 })
    harness.tick('GBPUSD', '0.92000', '0.92000')
    // As after a restart: the journal is there, prices are not.
    harness.state.quotes.delete(instrumentOf('GBPUSD').id)
    harness.core.dirtyAccounts.add(1)
    // 10,090 less 7,000, with a margin of 10,000; sterling gains 8,000 or 1,000.
    expect(effects(harness.tick('EURUSD', '0.93000', '0.93000'))).toEqual([])
    expect(effects(harness.tick('GBPUSD', '0.92000', '0.92000'))).toEqual([])
    expect(effects(harness.tick('GBPUSD', '0.99000', '0.99000'))).toEqual(['1 positionClosed'])
  })
})

describe('a price that triggers nothing itself', () => {
  /** Euros and sterling held; the price of sterling is missing, as after a restart. */
  function halfPriced(): Harness {
    const harness = riskyHarness('10100')
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.tick('GBPUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { leverage: 20 })
    harness.buy('GBPUSD', { leverage: 20 })
    harness.state.quotes.delete(instrumentOf('GBPUSD').id)
    harness.core.dirtyAccounts.add(1)
    harness.tick('EURUSD', '0.97500', '0.97500')
    return harness
  }

  it.each([
    ['of a halted instrument', (harness: Harness) => harness.halt('GBPUSD', 'a storm'), 0],
    ['of a closed market', (harness: Harness) => harness.closeMarket('GBPUSD'), 0],
    ['that comes too late', () => undefined, 5_001],
  ])('%s is still used by the next tick of another instrument', (_which, hinder, delayMs) => {
    const harness = halfPriced()
    hinder(harness)
    // 10,090 less 2,500, less 3,000: 4,590 of 10,000.
    expect(effects(harness.tick('GBPUSD', '0.97000', '0.97000', delayMs))).toEqual([])
    expect(effects(harness.tick('EURUSD', '0.97500', '0.97500'))).toHaveLength(1)
  })

  it('is too late to stop an account out, even if another position could be closed', () => {
    const harness = riskyHarness('10100')
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.tick('GBPUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { leverage: 20 })
    harness.buy('GBPUSD', { leverage: 20 })
    harness.wait(5_001)
    harness.tick('GBPUSD', '1.00000', '1.00000')
    expect(effects(harness.tick('EURUSD', '0.94000', '0.94000', 5_001))).toEqual([])
    expect(effects(harness.tick('GBPUSD', '1.00000', '1.00000'))).toEqual(['1 positionClosed'])
  })
})
