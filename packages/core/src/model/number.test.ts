import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addFractions, invert, multiply, powerOfTen, type Fraction } from './number.ts'

const positive = fc.bigInt({ min: 1n, max: 10n ** 30n })
const whole = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })
const fraction: fc.Arbitrary<Fraction> = fc.record({ numerator: whole, denominator: positive })
const isEqual = (a: Fraction, b: Fraction) => a.numerator * b.denominator === b.numerator * a.denominator

describe('fractions', () => {
  it('multiply and add exactly', () => {
    const third = { numerator: 1n, denominator: 3n }
    const minusHalf = { numerator: -1n, denominator: 2n }
    expect(isEqual(multiply(third, minusHalf), { numerator: -1n, denominator: 6n })).toBe(true)
    expect(isEqual(addFractions(third, minusHalf), { numerator: -1n, denominator: 6n })).toBe(true)
    expect(isEqual(addFractions(third, third), { numerator: 2n, denominator: 3n })).toBe(true)
  })

  it('add in any order, and keep the denominator positive', () => {
    fc.assert(
      fc.property(fraction, fraction, fraction, (a, b, c) => {
        const sum = addFractions(addFractions(a, b), c)
        expect(isEqual(sum, addFractions(a, addFractions(b, c)))).toBe(true)
        expect(sum.denominator).toBeGreaterThan(0n)
      }),
    )
  })

  it('stay small when a thousand with the same denominator are added', () => {
    const part = { numerator: 1n, denominator: 138_510n }
    let sum = part
    for (let count = 1; count < 1_000; count++) sum = addFractions(sum, part)
    expect(sum).toEqual({ numerator: 1_000n, denominator: 138_510n })
  })

  it('invert, the sign staying above the line', () => {
    expect(invert({ numerator: 3n, denominator: 7n })).toEqual({ numerator: 7n, denominator: 3n })
    expect(invert({ numerator: -3n, denominator: 7n })).toEqual({ numerator: -7n, denominator: 3n })
  })

  it('of zero have no inverse', () => {
    expect(() => invert({ numerator: 0n, denominator: 7n })).toThrow('zero has no inverse')
  })
})

it.each([
  [0, 1n],
  [5, 100_000n],
  [19, 10n ** 19n],
  [25, 10n ** 25n],
])('ten to the power of %d is %d', (exponent, expected) => {
  expect(powerOfTen(exponent)).toBe(expected)
})
