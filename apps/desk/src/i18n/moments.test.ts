import { expect, test } from 'vitest'
import { clock, day, moment, since } from './moments.ts'

const NOW = Date.UTC(2026, 10, 22, 9, 12)
const MINUTE = 60_000
const HOUR = 60 * MINUTE

test('a time is shown in UTC, with its year when that is not the current one', () => {
  expect(moment(NOW, NOW)).toBe('22 Nov, 09:12')
  expect(moment(Date.UTC(2025, 9, 14, 0, 5), NOW)).toBe('14 Oct 2025, 00:05')
  expect(day(NOW, NOW)).toBe('22 Nov')
  expect(clock(NOW)).toBe('09:12')
})

test.each([
  [6 * MINUTE, '6 min'],
  [HOUR + 44 * MINUTE, '1 h 44'],
  [3 * HOUR + 2 * MINUTE, '3 h 02'],
  [47 * HOUR, '47 h 00'],
  [49 * HOUR, '2 days'],
  [-MINUTE, '0 min'],
])('%d ms ago is %s', (passed, text) => expect(since(NOW - passed, NOW)).toBe(text))
