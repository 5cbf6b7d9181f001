import { describe, expect, test } from 'vitest'
import {
  chooseLanguage,
  isRequestedAsTaiwan,
  isRedUp,
  LANGUAGE_CODES,
  languageOfTag,
  regionalTag,
} from './language.ts'

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
    expect(chooseLanguage({ linked: null, chosen: null, browser: ['yue-Hant-HK', 'en'] })).toBe('hk')
    expect(chooseLanguage({ linked: null, chosen: null, browser: ['in-ID', 'en'] })).toBe('id')
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

describe('rising prices', () => {
  test('are red in Japanese, Korean and in Chinese for Taiwan', () => {
    const red = LANGUAGE_CODES.filter((language) => isRedUp(language, false))
    expect(red).toEqual(['jp', 'kr'])
    expect(isRedUp('hk', true)).toBe(true)
    expect(isRedUp('de', true)).toBe(false)
  })
  test.each([
    ['the code of a link', { linked: 'tw', chosen: 'hk', browser: ['zh-HK'] }, true],
    ['another code of a link', { linked: 'hk', chosen: 'tw', browser: ['zh-TW'] }, false],
    ['the saved code', { linked: null, chosen: 'tw', browser: ['en'] }, true],
    ['a saved choice of Chinese', { linked: null, chosen: 'hk', browser: ['zh-TW'] }, false],
    ['the browser', { linked: 'xx', chosen: null, browser: ['zh-Hant-TW', 'en'] }, true],
    ['the browser in Hong Kong', { linked: null, chosen: null, browser: ['zh-HK', 'en'] }, false],
  ])('are meant for Taiwan by %s', (_, sources, isTaiwan) => {
    expect(isRequestedAsTaiwan(sources)).toBe(isTaiwan)
  })
})
