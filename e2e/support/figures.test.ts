import { describe, expect, it } from 'vitest'
import { divideHalfAway, figureOf, inCents, moneyIn, unitsIn } from './figures.ts'

describe('parsing figures on the screen', () => {
  it('reads signs, separators and all decimals', () => {
    expect(moneyIn('−1,234.500001')).toBe(-1_234_500_001n)
    expect(moneyIn('Booked +0.06.')).toBe(60_000n)
    expect(unitsIn('1.08501', 5)).toBe(108_501n)
  })

  it('rejects too many decimals and text without a figure', () => {
    expect(() => unitsIn('1.085012', 5)).toThrow('no figure of 5 decimals')
    expect(() => moneyIn('–')).toThrow('no figure')
  })
})

it('rounds half away from zero', () => {
  expect([5n, -5n, 4n, -4n].map((tenths) => divideHalfAway(tenths, 10n))).toEqual([1n, -1n, 0n, 0n])
  expect(divideHalfAway(7n, -2n)).toBe(-4n)
})

it('formats money to the cent', () => {
  expect(inCents(99_999_638_407n)).toBe('99,999.64')
  expect(inCents(-5_000n)).toBe('−0.01')
  expect(inCents(1_234_567_000_000n)).toBe('1,234,567.00')
})

it('formats all decimals of a price', () => {
  expect(figureOf(138_583n, 5)).toBe('1.38583')
  expect(figureOf(-42n, 6)).toBe('−0.000042')
})
