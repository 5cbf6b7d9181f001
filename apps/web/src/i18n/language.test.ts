import { describe, expect, test } from 'vitest'
import { chooseLanguage, directionOf, LANGUAGES, languageOfTag, tagOf } from './language.ts'

describe('choosing the language', () => {
  test('takes the lang query before anything else', () => {
    expect(chooseLanguage({ asked: 'de', chosen: 'fr', browser: ['it'] })).toBe('de')
  })
  test('reads tw as hk', () => {
    expect(chooseLanguage({ asked: 'tw', chosen: 'fr', browser: ['it'] })).toBe('hk')
  })
  test('takes the last choice when the query names no language of ours', () => {
    expect(chooseLanguage({ asked: 'xx', chosen: 'fr', browser: ['it'] })).toBe('fr')
  })
  test('takes the first of the browser languages that is one of the 15', () => {
    expect(chooseLanguage({ asked: null, chosen: null, browser: ['nl-NL', 'pt-BR', 'en'] })).toBe('pt')
  })
  test('ends at traditional Chinese', () => {
    expect(chooseLanguage({ asked: null, chosen: null, browser: ['nl'] })).toBe('hk')
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

test('knows 15 languages, each with a tag that Intl accepts, and one that runs right to left', () => {
  expect(LANGUAGES).toHaveLength(15)
  for (const { code } of LANGUAGES) expect(Intl.getCanonicalLocales(tagOf(code))).toHaveLength(1)
  expect(LANGUAGES.filter(({ code }) => directionOf(code) === 'rtl').map(({ code }) => code)).toEqual(['ar'])
})
