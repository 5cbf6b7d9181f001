import { expect, test } from 'vitest'
import { directionOf, formatTag, knownLanguage, LANGUAGE_CODES, languageOfCode, tagOf } from './language.ts'

test('knows 15 languages, each with a tag that Intl accepts, and one that runs right to left', () => {
  expect(LANGUAGE_CODES).toHaveLength(15)
  expect(Intl.getCanonicalLocales(LANGUAGE_CODES.map(tagOf))).toHaveLength(15)
  expect(LANGUAGE_CODES.filter((code) => directionOf(code) === 'rtl')).toEqual(['ar'])
})

test('tw, no code and an unknown one mean hk', () => {
  const codes = [undefined, null, '', 'tw', 'xx', 'HK', 'constructor', '__proto__']
  expect(codes.map(languageOfCode)).toEqual(codes.map(() => 'hk'))
  expect(['jp', 'kr', 'vn', 'spa'].map(languageOfCode)).toEqual(['jp', 'kr', 'vn', 'spa'])
  expect(['tw', 'xx', 'constructor'].map(knownLanguage)).toEqual(['hk', null, null])
})

test.each(LANGUAGE_CODES)('%s formats with Latin digits and the Gregorian calendar', (code) => {
  const options = { year: 'numeric', month: 'numeric', day: 'numeric', timeZone: 'UTC' } as const
  const date = new Intl.DateTimeFormat(formatTag(tagOf(code)), options).format(Date.UTC(2026, 0, 2))
  expect(date).toMatch(/2026/)
  expect(new Intl.NumberFormat(formatTag(tagOf(code))).format(1234.5)).toMatch(/^[\d.,\s]+$/)
})
