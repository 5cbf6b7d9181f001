import { describe, expect, it } from 'vitest'
import { price } from './number.ts'
import type { Quote } from './quote.ts'
import { RULES } from './rules.ts'
import { fillReceipt, swapReceipt, quietReceipt, ruleVersionOf } from './receipt.ts'

const quote: Quote = {
  instrumentId: 1,
  bid: price(138_258),
  ask: price(138_408),
  time: 1_000,
  receivedAt: 1_020,
  seq: 42,
  source: 'recorded',
}
const pair: Quote = { ...quote, instrumentId: 2, seq: 7 }
const noConversion = { rate: { numerator: 1n, denominator: 1n }, quotes: [] }

const fill = (deal: 'buy' | 'sell', requested: number) =>
  fillReceipt({
    action: 'close',
    trigger: 'stopLoss',
    quote,
    deal,
    requestedPrice: price(requested),
    filledPrice: deal === 'buy' ? quote.ask : quote.bid,
    conversion: { ...noConversion, quotes: [pair] },
    at: 1_025,
    terms: 3,
    rules: RULES,
  })

describe('the receipt of a fill', () => {
  it('contains the tick, the side, both prices, the delay, the conversion and the rules', () => {
    expect(fill('sell', 138_400)).toEqual({
      action: 'close',
      trigger: 'stopLoss',
      tick: quote,
      quoteSide: 'bid',
      requestedPrice: 138_400,
      filledPrice: 138_258,
      slippage: -142,
      delayMs: 5,
      conversion: [pair],
      ruleVersion: ruleVersionOf(RULES),
      terms: 3,
    })
  })

  it.each([
    ['buy', 138_500, 92],
    ['buy', 138_400, -8],
    ['buy', 138_408, 0],
    ['sell', 138_200, 58],
    ['sell', 138_300, -42],
  ] as const)(
    'a %s asked at %d shows slippage %d: above zero is the better of the user',
    (deal, requested, expected) => {
      expect(fill(deal, requested).slippage).toBe(expected)
    },
  )

  it('a deal that buys is filled at the ask, one that sells at the bid', () => {
    expect([fill('buy', 1).quoteSide, fill('sell', 1).quoteSide]).toEqual(['ask', 'bid'])
  })
})

describe('the receipt of an end without a fill', () => {
  it('shows the tick of the moment and no fill', () => {
    const receipt = quietReceipt('cancel', 'user', {
      quote,
      requestedPrice: price(138_000),
      at: 1_030,
      terms: 3,
      rules: RULES,
    })
    expect(receipt).toMatchObject({
      tick: quote,
      quoteSide: null,
      filledPrice: null,
      slippage: 0,
      delayMs: 10,
    })
    expect(receipt.requestedPrice).toBe(138_000)
  })

  it('of an instrument without a price has no tick', () => {
    expect(
      quietReceipt('close', 'user', {
        quote: undefined,
        requestedPrice: null,
        at: 1_030,
        terms: 3,
        rules: RULES,
      }),
    ).toMatchObject({
      tick: null,
      delayMs: 0,
    })
  })
})

it('the receipt of a swap contains the ticks it was computed from, and no fill', () => {
  expect(
    swapReceipt(quote, { ...noConversion, quotes: [pair] }, { rollover: 61_020, terms: 3, rules: RULES }),
  ).toEqual({
    action: 'finance',
    trigger: 'rollover',
    tick: quote,
    quoteSide: null,
    requestedPrice: null,
    filledPrice: null,
    slippage: 0,
    delayMs: 60_000,
    conversion: [pair],
    ruleVersion: ruleVersionOf(RULES),
    terms: 3,
  })
})
