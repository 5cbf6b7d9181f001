import { describe, expect, test } from 'vitest'
import { chooseLanguage, languageOfTag, regionalTag } from './language.ts'

describe('choosing the language', () => {
  test('takes the lang query before anything else', () => {
    expect(chooseLanguage({ linked: 'de', chosen: 'fr', browser: ['it'] })).toBe('de')
  })
  test('reads tw as hk', () => {
    expect(chooseLanguage({ linked: 'tw', chosen: 'fr', browser: ['it'] })).toBe('hk')
  })
  test('takes the saved choice when the query names no language of the 15', () => {
    expect(chooseLanguage({ linked: 'xx', chosen: 'fr', browser: ['it'] })).toBe('fr')
  })
  test('takes the first of the browser languages that is one of the 15', () => {
    expect(chooseLanguage({ linked: null, chosen: null, browser: ['nl-NL', 'pt-BR', 'en'] })).toBe('pt')
  })
  test('falls back to traditional Chinese', () => {
    expect(chooseLanguage({ linked: null, chosen: null, browser: ['nl'] })).toBe('hk')
  })
})

test('maps browser tags to our codes', () => {
  expect(['ja-JP', 'ko', 'vi-VN', 'es-MX', 'zh-CN'].map(languageOfTag)).toEqual([
    'jp',
    'kr',
    'vn',
    'spa',
    'hk',
  ])
})

describe('the tag for dates and times', () => {
  test('has the region that the browser has for the chosen language', () => {
    expect(regionalTag('en', ['de-CH', 'en-GB', 'en-US'])).toBe('en-GB')
  })
  test('has no region where the browser has none for the chosen language', () => {
    expect(regionalTag('en', ['de-CH', 'fr'])).toBe('en')
    expect(regionalTag('en', ['en', 'no tag at all'])).toBe('en')
  })
  test('keeps the fixed region of a language', () => {
    expect(regionalTag('zh-HK', ['zh-TW'])).toBe('zh-HK')
  })
})
