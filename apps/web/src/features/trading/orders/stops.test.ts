import { describe, expect, test } from 'vitest'
import { readStop, stopSide } from './stops.ts'

describe('a typed stop', () => {
  test('is none when the field is empty', () => {
    expect(readStop('  ', 5)).toEqual({ kind: 'none' })
  })
  test('may be written with a comma', () => {
    expect(readStop('1,0787', 5)).toEqual({ kind: 'price', price: '1.0787' })
  })
  test.each(['1e5', '0x10', 'abc', '1.000001', '-1', '0', '1.2.3'])('is unreadable as %s', (text) => {
    expect(readStop(text, 5)).toEqual({ kind: 'unreadable' })
  })
})

test('a stop loss lies on the losing side, a take profit on the winning side', () => {
  expect(stopSide('stopLoss', 'buy')).toBe('below')
  expect(stopSide('takeProfit', 'buy')).toBe('above')
  expect(stopSide('stopLoss', 'sell')).toBe('above')
  expect(stopSide('takeProfit', 'sell')).toBe('below')
})
