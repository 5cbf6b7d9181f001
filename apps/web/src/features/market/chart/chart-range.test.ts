import { describe, expect, it } from 'vitest'
import { decimalsFor, rangeHolding } from './chart-range.ts'

describe('the range of the price axis', () => {
  const candles = { from: 100, to: 200 }

  it('is that of the candles when there are no lines', () => {
    expect(rangeHolding(candles, [])).toEqual(candles)
  })

  it('stretches to a line that is near', () => {
    expect(rangeHolding(candles, [60, 210])).toEqual({ from: 60, to: 210 })
  })

  it('leaves out a line that would squeeze the candles, and keeps the nearer ones', () => {
    expect(rangeHolding(candles, [-500, 90])).toEqual({ from: 90, to: 200 })
  })

  it('holds as much as 2.4 times the candles and no more', () => {
    expect(rangeHolding(candles, [340])).toEqual({ from: 100, to: 340 })
    expect(rangeHolding(candles, [341])).toEqual(candles)
  })
})

describe('decimals of axis labels', () => {
  it('drops digits that are zero in every label', () => {
    expect(decimalsFor([1.085, 1.086, 1.0875], 5, 2)).toBe(4)
  })

  it('never goes below the least', () => {
    expect(decimalsFor([2340, 2350], 2, 1)).toBe(1)
  })

  it('keeps all decimals when one label needs them', () => {
    expect(decimalsFor([1.08501, 1.086], 5, 2)).toBe(5)
  })
})
