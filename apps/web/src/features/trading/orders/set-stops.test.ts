import { describe, expect, test } from 'vitest'
import { stopSide } from '../lots-and-prices.ts'
import { suggestedDistance, readStop, startOf } from './set-stops.tsx'
import type { Decimal, OrderView } from '@fairlot/contract'
import { price } from '@fairlot/core'

const pair = { priceDecimals: 5, allowsNegativePrice: false }

describe('a typed stop', () => {
  test('is none when the field is empty', () => {
    expect(readStop('  ', pair)).toEqual({ kind: 'none' })
  })
  test.each(['0', '0.00', '-0'])('is none as %s', (text) => {
    expect(readStop(text, pair)).toEqual({ kind: 'none' })
  })
  test('is below zero only where the instrument allows it', () => {
    expect(readStop('-1', pair)).toEqual({ kind: 'unreadable' })
    expect(readStop('-1', { ...pair, allowsNegativePrice: true })).toEqual({ kind: 'price', price: -1 })
  })
  // The field has read what was typed: a comma is left only where two numbers may be meant.
  test.each(['67,000', '1e5', '0x10', 'abc', '1.000001', '1.2.3'])('is unreadable as %s', (text) => {
    expect(readStop(text, pair)).toEqual({ kind: 'unreadable' })
  })
})

test('a stop loss is on the losing side, a take profit on the winning side', () => {
  expect(stopSide('stopLoss', 'buy')).toBe('below')
  expect(stopSide('takeProfit', 'buy')).toBe('above')
  expect(stopSide('stopLoss', 'sell')).toBe('above')
  expect(stopSide('takeProfit', 'sell')).toBe('below')
})

const position = (side: OrderView['side'], stopLoss: number | null) =>
  ({ side, stopLoss: stopLoss as Decimal | null, instrument: { priceDecimals: 5 } }) as OrderView

const [now, distance] = [price(110_000), price(200)]

test.each([
  ['buy', null, 109_800],
  ['sell', null, 110_200],
  ['buy', 1.0985, 109_850],
  ['buy', 1.05, 109_800],
  ['sell', 1.1015, 110_150],
  ['sell', 1.2, 110_200],
] as const)('the stop of a %s that is at %s starts at %i', (side, stopLoss, start) => {
  expect(startOf(position(side, stopLoss), now, distance)).toBe(start)
})

test('suggests about 0.2 % of the price, and at least twice the minimum distance', () => {
  expect(suggestedDistance(price(110_000), price(6))).toBe(200)
  expect(suggestedDistance(price(110_000), price(300))).toBe(600)
})
