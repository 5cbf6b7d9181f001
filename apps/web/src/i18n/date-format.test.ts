import { expect, test } from 'vitest'
import { momentFormat } from './date-format.ts'
import { LANGUAGES } from './language.ts'

const now = Date.UTC(2014, 4, 2, 12, 30)
const en = momentFormat('en', 'UTC')

test('a moment today is shown by its time, within a week by its weekday, later by its date', () => {
  expect(en.soon(now + 3_600_000, now)).toBe('13:30')
  expect(en.soon(Date.UTC(2014, 4, 4, 21, 0), now)).toBe('Sun 21:00')
  expect(en.soon(Date.UTC(2014, 4, 12, 21, 0), now)).toBe('May 12, 21:00')
  expect(en.soon(Date.UTC(2016, 4, 12, 21, 0), now)).toBe('May 12, 2016')
  expect(en.soon(Date.UTC(2014, 4, 1, 21, 0), now)).toBe('May 1, 21:00')
})

test('hours run from 00 to 23', () => {
  expect(en.time(Date.UTC(2014, 4, 2))).toBe('00:00:00')
})

test('Thai years are Gregorian and Arabic digits Latin', () => {
  expect(momentFormat('th', 'UTC').dateTime(now)).toContain('2014')
  expect(momentFormat('ar', 'UTC').dateTime(now)).toContain('2014')
})

test.each(Object.values(LANGUAGES))('no date in $name has an invisible mark', ({ tag }) => {
  const format = momentFormat(tag, 'UTC')
  const texts = [format.dateTime(now), format.soon(now, 0), format.month(now), format.time(now)]
  for (const text of texts) expect(text).not.toMatch(/[\u200b-\u200f\u061c\u202a-\u202e\u2066-\u2069]/)
})

test('weekdays are counted from Sunday and abbreviated', () => {
  expect([0, 3, 6].map(en.weekday)).toEqual(['Sun', 'Wed', 'Sat'])
})

test('a month is the UTC month, whatever the user’s time zone', () => {
  const first = Date.UTC(2026, 10, 1)
  expect(momentFormat('en', 'America/New_York').month(first)).toBe('November 2026')
  expect(momentFormat('zh-HK', 'Asia/Hong_Kong').month(first - 1)).toBe('2026年10月')
})

test('a moment of another day is not shown by its time alone, however near it is', () => {
  const midnight = Date.UTC(2026, 0, 7)
  expect(en.soon(midnight - 1000, midnight)).toBe('Jan 6, 23:59')
  expect(momentFormat('en', 'Asia/Hong_Kong').soon(midnight - 1000, midnight)).toBe('07:59')
})

test('a British date begins with its day, an American with its month', () => {
  expect(momentFormat('en-GB', 'UTC').dateTime(now)).toBe('2 May 2014, 12:30:00')
  expect(momentFormat('en-US', 'UTC').dateTime(now)).toBe('May 2, 2014, 12:30:00')
  expect(momentFormat('en-GB', 'UTC').soon(Date.UTC(2014, 4, 12, 21, 0), now)).toBe('12 May, 21:00')
})
