import { describe, expect, it } from 'vitest'
import { instrumentOf } from '../../scenarios/market.ts'
import { price } from './number.ts'
import { closingPrice, exactMid, isFresh, midPrice, openingPrice, type Quote } from './quote.ts'

const prices = (bid: number, ask: number) => ({ bid: price(bid), ask: price(ask) })

describe('sides', () => {
  const quote = prices(138_500, 138_510)

  it('a buy opens at the ask and closes at the bid', () => {
    expect(openingPrice('buy', quote)).toBe(138_510)
    expect(closingPrice('buy', quote)).toBe(138_500)
  })

  it('a sell opens at the bid and closes at the ask', () => {
    expect(openingPrice('sell', quote)).toBe(138_500)
    expect(closingPrice('sell', quote)).toBe(138_510)
  })
})

describe('the mid', () => {
  it.each([
    [100, 102, 101],
    [100, 101, 101],
    [-3, -2, -3],
    [-1, 0, -1],
    [-1, 1, 0],
    [-2, 1, -1],
  ])('of %d and %d is shown as %d: half ticks are rounded away from zero', (bid, ask, expected) => {
    expect(midPrice(prices(bid, ask))).toBe(expected)
  })

  it('is exact where money is computed from it', () => {
    expect(exactMid(instrumentOf('EURUSD'), prices(138_500, 138_511))).toEqual({
      numerator: 277_011n,
      denominator: 200_000n,
    })
  })
})

describe('freshness', () => {
  const quote: Quote = {
    ...prices(1, 2),
    instrumentId: 1,
    time: 0,
    source: 'recorded',
    seq: 1,
    receivedAt: 1_000,
  }

  it('lasts up to the limit and not a millisecond longer', () => {
    expect(isFresh(quote, 6_000, 5_000)).toBe(true)
    expect(isFresh(quote, 6_001, 5_000)).toBe(false)
  })

  it('counts from the arrival, not from the time the source gave', () => {
    expect(isFresh({ ...quote, time: -1_000_000 }, 2_000, 5_000)).toBe(true)
  })
})
