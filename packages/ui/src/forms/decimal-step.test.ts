import { describe, expect, test } from 'vitest'
import { isAtMost, stepDecimal } from './decimal-step.ts'

const lots = { step: '0.01', min: '0.01', max: '100' }

describe('stepping a decimal', () => {
  test('adds one step exactly, where binary floats would not', () => {
    expect(stepDecimal('0.29', 1, lots)).toBe('0.30')
    expect(stepDecimal('1.1', 1, { step: '0.1', min: '0.1' })).toBe('1.2')
  })
  test('moves to the nearest step in its direction when it lies between two', () => {
    expect(stepDecimal('0.015', 1, lots)).toBe('0.02')
    expect(stepDecimal('0.015', -1, lots)).toBe('0.01')
  })
  test('stays between minimum and maximum', () => {
    expect(stepDecimal('0.01', -1, lots)).toBe('0.01')
    expect(stepDecimal('100', 1, lots)).toBe('100.00')
  })
  test('starts at the minimum when the text is not a number', () => {
    expect(stepDecimal('', 1, lots)).toBe('0.01')
    expect(stepDecimal('1e5', -1, lots)).toBe('0.01')
  })
  test('steps integers and negative numbers', () => {
    expect(stepDecimal('7', -1, { step: '1', min: '-5' })).toBe('6')
    expect(stepDecimal('-1', 1, { step: '0.5', min: '-5' })).toBe('-0.5')
  })
})

test('compares decimals with different numbers of digits', () => {
  expect(isAtMost('0.010', '0.01')).toBe(true)
  expect(isAtMost('0.02', '0.01')).toBe(false)
  expect(isAtMost('', '0.01')).toBe(false)
})
