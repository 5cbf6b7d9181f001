import { describe, expect, it } from 'vitest'
import { price } from './number.ts'
import { direction, opposite, pendingKind } from './order.ts'

describe('a pending order', () => {
  it.each([
    ['buy', 99, 'limit'],
    ['buy', 101, 'stop'],
    ['sell', 101, 'limit'],
    ['sell', 99, 'stop'],
  ] as const)('to %s at %d while its side stands at 100 is a %s', (side, target, kind) => {
    expect(pendingKind(side, price(target), price(100))).toBe(kind)
  })

  it.each(['buy', 'sell'] as const)(
    'to %s at the very price is a stop, for nothing better is waited for',
    (side) => {
      expect(pendingKind(side, price(100), price(100))).toBe('stop')
    },
  )
})

it('a buy gains when the price rises, a sell when it falls', () => {
  expect([direction('buy'), direction('sell')]).toEqual([1, -1])
})

it('the opposite of a purchase is a sale, and back', () => {
  expect([opposite('buy'), opposite('sell')]).toEqual(['sell', 'buy'])
})
