import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { absolute } from './number.ts'
import { divideRounded, rescale, rescaleDown, rescaleUp } from './rounding.ts'

const positive = fc.bigInt({ min: 1n, max: 10n ** 30n })
const whole = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })

describe('division', () => {
  it.each([
    [5n, 2n, 3n],
    [-5n, 2n, -3n],
    [4n, 2n, 2n],
    [1n, 2n, 1n],
    [-1n, 2n, -1n],
    [1n, 3n, 0n],
    [2n, 3n, 1n],
    [-1n, 3n, 0n],
    [-2n, 3n, -1n],
    [7n, 4n, 2n],
    [5n, 4n, 1n],
    [0n, 7n, 0n],
  ])('rounds %d / %d half away from zero to %d', (numerator, denominator, expected) => {
    expect(divideRounded(numerator, denominator)).toBe(expected)
  })

  it('lies within half a unit of the exact value, and ties go away from zero', () => {
    fc.assert(
      fc.property(whole, positive, (numerator, denominator) => {
        const rounded = divideRounded(numerator, denominator)
        const twiceTheError = 2n * (rounded * denominator - numerator)
        expect(absolute(twiceTheError)).toBeLessThanOrEqual(denominator)
        if (absolute(twiceTheError) === denominator)
          expect(absolute(rounded) * denominator).toBeGreaterThan(absolute(numerator))
      }),
    )
  })

  it('treats a loss as the mirror of a gain', () => {
    fc.assert(
      fc.property(whole, positive, (numerator, denominator) => {
        expect(divideRounded(-numerator, denominator)).toBe(-divideRounded(numerator, denominator))
      }),
    )
  })

  it.each([0n, -3n])('refuses the denominator %d', (denominator) => {
    expect(() => divideRounded(1n, denominator)).toThrow(RangeError)
  })
})

describe('units of other decimals', () => {
  it.each([
    [12_350n, 1_235n, 124n, 123n, 124n],
    [-12_350n, -1_235n, -124n, -124n, -123n],
    [12_341n, 1_234n, 123n, 123n, 124n],
    [-12_341n, -1_234n, -123n, -124n, -123n],
    [12_300n, 1_230n, 123n, 123n, 123n],
    [0n, 0n, 0n, 0n, 0n],
  ])('of %d are %d with a digit less, and %d, %d, %d with two', (units, tenth, half, down, up) => {
    expect(rescale(units, 4, 3)).toBe(tenth)
    expect([rescale(units, 4, 2), rescaleDown(units, 4, 2), rescaleUp(units, 4, 2)]).toEqual([half, down, up])
  })

  it('with more digits are the same number for every rounding', () => {
    expect([rescale, rescaleDown, rescaleUp].map((round) => round(-125n, 2, 4))).toEqual(
      Array(3).fill(-12_500n),
    )
  })

  it('rounded down and up lie on either side, at most one apart', () => {
    const any = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n })
    fc.assert(
      fc.property(any, fc.integer({ min: 1, max: 6 }), (units, fewer) => {
        const [down, up] = [rescaleDown(units, 6, 6 - fewer), rescaleUp(units, 6, 6 - fewer)]
        expect(rescale(down, 6 - fewer, 6)).toBeLessThanOrEqual(units)
        expect(rescale(up, 6 - fewer, 6)).toBeGreaterThanOrEqual(units)
        expect(up - down).toBe(rescale(down, 6 - fewer, 6) === units ? 0n : 1n)
      }),
    )
  })
})
