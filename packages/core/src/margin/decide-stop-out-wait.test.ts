/** Stop-outs that have to wait: for a market to open, for a price to be fresh, for one to be there at all. */
import { describe, expect, it } from 'vitest'
import { effects, figures, riskyFloor, type Floor } from '../../scenarios/floor.ts'
import { instrumentOf } from '../../scenarios/market.ts'

describe('only what is open and fresh is closed', () => {
  /** A euro position that loses and a sterling position that does not, together at their level after `fall`. */
  function twoMarkets(): Floor {
    const floor = riskyFloor('10000')
    floor.tick('EURUSD', '1.00000', '1.00000')
    floor.tick('GBPUSD', '1.00000', '1.00000')
    floor.buy('EURUSD', { leverage: 20, lots: '1' })
    floor.buy('GBPUSD', { leverage: 20, lots: '0.5' })
    return floor
  }
  const fall = (floor: Floor) => floor.tick('EURUSD', '0.93500', '0.93500')

  it('in the order of losses', () => {
    expect(effects(fall(twoMarkets()))).toEqual(['1 positionClosed'])
  })

  it('passing over a market that is closed', () => {
    const floor = twoMarkets()
    floor.tick('GBPUSD', '0.98000', '0.98000')
    floor.closeMarket('GBPUSD')
    // The rest holds 2,500 and has 10,000 - 7.5 - 6,500 - 1,000 = 2,492.5.
    expect(effects(fall(floor))).toEqual(['1 positionClosed'])
  })

  it('passing over a price that is stale', () => {
    const floor = twoMarkets()
    floor.wait(5_001)
    floor.tick('EURUSD', '0.94500', '0.94500')
    const outcome = floor.tick('GBPUSD', '0.94500', '0.94500', 5_001)
    expect(effects(outcome)).toEqual([])
    expect(effects(floor.tick('EURUSD', '0.94500', '0.94500'))).toEqual(['1 positionClosed'])
  })

  it.each([
    ['closed', (floor: Floor) => floor.closeMarket('EURUSD')],
    ['halted', (floor: Floor) => floor.halt('EURUSD', 'a storm')],
    ['in cancel-only mode', (floor: Floor) => floor.mode('cancelOnly')],
  ])('and a tick of an instrument that is %s stops nobody out, nor ends a pending order', (_name, stop) => {
    const floor = twoMarkets()
    floor.buy('EURUSD', { lots: '0.01', target: '0.50000' })
    stop(floor)
    expect(effects(fall(floor))).toEqual([])
    expect(figures(floor).equity * 2n).toBeLessThan(figures(floor).margin)
  })

  it('the first tick of another of its instruments sees to it', () => {
    const floor = twoMarkets()
    floor.halt('EURUSD', 'a storm')
    fall(floor)
    expect(effects(floor.tick('GBPUSD', '1.00000', '1.00000'))).toEqual(['2 positionClosed'])
  })

  it('and what could not be closed is, at the first tick after', () => {
    const floor = twoMarkets()
    floor.halt('EURUSD', 'a storm')
    fall(floor)
    floor.halt('EURUSD', null)
    expect(effects(floor.tick('EURUSD', '0.93400', '0.93400'))).toEqual(['1 positionClosed'])
  })

  it('while nothing can be closed, pending orders stay too', () => {
    const floor = twoMarkets()
    floor.sell('EURUSD', { lots: '0.01', target: '1.50000' })
    expect(effects(floor.tick('EURUSD', '0.93500', '0.93500', 5_001))).toEqual([])
    expect(effects(floor.tick('EURUSD', '0.93500', '0.93500'))).toEqual([
      '3 orderCancelled',
      '1 positionClosed',
    ])
  })
})

describe('while a price is missing', () => {
  it('nobody is stopped out, for what that position is worth is not known', () => {
    const floor = riskyFloor('10100')
    floor.tick('EURUSD', '1.00000', '1.00000')
    floor.tick('GBPUSD', '1.00000', '1.00000')
    floor.buy('EURUSD', { leverage: 20 })
    floor.sell('GBPUSD', { leverage: 20 })
    floor.tick('GBPUSD', '0.92000', '0.92000')
    // As after a restart: the journal is there, the prices are not.
    floor.state.quotes.delete(instrumentOf('GBPUSD').id)
    floor.core.touched.add(1)
    // 10,090 less 7,000 of 10,000, and 8,000 or 1,000 that sterling wins.
    expect(effects(floor.tick('EURUSD', '0.93000', '0.93000'))).toEqual([])
    expect(effects(floor.tick('GBPUSD', '0.92000', '0.92000'))).toEqual([])
    expect(effects(floor.tick('GBPUSD', '0.99000', '0.99000'))).toEqual(['1 positionClosed'])
  })
})

describe('a price that may decide nothing itself', () => {
  /** Euros and sterling held; the price of sterling is missing, as after a restart. */
  function halfPriced(): Floor {
    const floor = riskyFloor('10100')
    floor.tick('EURUSD', '1.00000', '1.00000')
    floor.tick('GBPUSD', '1.00000', '1.00000')
    floor.buy('EURUSD', { leverage: 20 })
    floor.buy('GBPUSD', { leverage: 20 })
    floor.state.quotes.delete(instrumentOf('GBPUSD').id)
    floor.core.touched.add(1)
    floor.tick('EURUSD', '0.97500', '0.97500')
    return floor
  }

  it.each([
    ['of a halted instrument', (floor: Floor) => floor.halt('GBPUSD', 'a storm'), 0],
    ['of a closed market', (floor: Floor) => floor.closeMarket('GBPUSD'), 0],
    ['that comes too late', () => undefined, 5_001],
  ])('%s is all the same what the next tick of another instrument decides by', (_which, hinder, delayMs) => {
    const floor = halfPriced()
    hinder(floor)
    // 10,090 less 2,500, less 3,000: 4,590 of 10,000.
    expect(effects(floor.tick('GBPUSD', '0.97000', '0.97000', delayMs))).toEqual([])
    expect(effects(floor.tick('EURUSD', '0.97500', '0.97500'))).toHaveLength(1)
  })

  it('comes too late to stop anybody out, though another position could be closed', () => {
    const floor = riskyFloor('10100')
    floor.tick('EURUSD', '1.00000', '1.00000')
    floor.tick('GBPUSD', '1.00000', '1.00000')
    floor.buy('EURUSD', { leverage: 20 })
    floor.buy('GBPUSD', { leverage: 20 })
    floor.wait(5_001)
    floor.tick('GBPUSD', '1.00000', '1.00000')
    expect(effects(floor.tick('EURUSD', '0.94000', '0.94000', 5_001))).toEqual([])
    expect(effects(floor.tick('GBPUSD', '1.00000', '1.00000'))).toEqual(['1 positionClosed'])
  })
})
