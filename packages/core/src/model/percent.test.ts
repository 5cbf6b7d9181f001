import { describe, expect, it } from 'vitest'
import { readDecimal, type Decimal } from './decimal.ts'
import { percentChange, percentOf } from './percent.ts'

const change = (from: string, to: string) =>
  percentChange(readDecimal(from, 10) as Decimal, readDecimal(to, 10) as Decimal)

describe('a change in percent', () => {
  it('has four decimals, half away from zero', () => {
    expect(change('1.08', '1.0854')).toBe(0.5)
    expect(change('80000', '80000.04')).toBe(0.0001)
    expect(change('80000', '79999.96')).toBe(-0.0001)
    expect(change('-10', '-5')).toBe(50)
  })

  it('of almost nothing may be huge', () => {
    expect(change('0.0000000001', '999999999999')).toBe('999999999998999999999900')
  })

  it('does not exist from zero', () => {
    expect(change('0', '5')).toBeNull()
  })
})

it('a fraction in percent has two decimals', () => {
  expect(percentOf({ numerator: 1n, denominator: 3n })).toBe(33.33)
  expect(percentOf({ numerator: -1n, denominator: 8n })).toBe(-12.5)
})
