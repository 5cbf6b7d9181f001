import { describe, expect, test } from 'vitest'
import type { LanguageCode } from '../../packages/contract/src/accounts/language.ts'
import { readGlossary, readTerms } from './glossary.ts'
import { findingsOf, termFindings, widthOf } from './rules.ts'

const checked = (language: LanguageCode, text: string, english: string) => ({
  place: 'web' as const,
  language,
  texts: new Map([['key', text]]),
  english: new Map([['key', english]]),
  glossary: readGlossary(language),
  limits: new Map([['key', { place: 'a button', most: 20 }]]),
})

const rulesBroken = (language: LanguageCode, text: string, english = 'Buy'): string[] =>
  findingsOf(checked(language, text, english)).map(({ rule }) => rule)

describe('a text', () => {
  test.each<[LanguageCode, string, string, string]>([
    ['de', '', 'Buy', 'keys'],
    ['de', '{count, plural, one {x}', 'Buy', 'icu'],
    ['de', 'Close the window', 'Close the window', 'untranslated'],
    ['de', 'Noch einmal', 'Again in {seconds}', 'arguments'],
    ['de', 'Noch {second}', 'Again in {seconds}', 'arguments'],
    [
      'de',
      '{side, select, buy {Kauf} other {-}}',
      '{side, select, buy {Buy} sell {Sell} other {-}}',
      'arguments',
    ],
    ['ru', '{n, plural, one {#} other {#}}', '{n, plural, one {#} other {#}}', 'plurals'],
    ['ar', '{n, plural, one {#} two {#} few {#} other {#}}', '{n, plural, other {#}}', 'plurals'],
    ['spa', '{n, plural, one {#} other {#}}', '{n, plural, other {#}}', 'plurals'],
    ['hk', '{n, plural, one {#} other {#}}', '{n, plural, one {#} other {#}}', 'plurals'],
    ['de', 'Der “Hebel”', 'Buy', 'quotes'],
    ['en', "The user's", "The user's", 'quotes'],
    ['hk', '“槓桿”', 'Buy', 'quotes'],
    ['fr', '"Levier"', 'Buy', 'quotes'],
    ['fr', 'Pourquoi?', 'Buy', 'spaces'],
    ['fr', 'Pourquoi ?', 'Buy', 'spaces'],
    ['fr', 'Pourquoi\u00a0?', 'Buy', 'spaces'],
    ['fr', 'Encore 12?', 'Buy', 'spaces'],
    ['fr', '« Levier\u202f»', 'Buy', 'spaces'],
    ['fr', '«\u202fLevier\u00a0»', 'Buy', 'spaces'],
    ['fr', 'Motif: {reason}', 'Reason: {reason}', 'spaces'],
    ['fr', 'Motif\u202f: {reason}', 'Reason: {reason}', 'spaces'],
    ['fr', '{name}: {lots}', '{name}: {lots}', 'spaces'],
    ['de', 'Warum ?', 'Buy', 'spaces'],
    ['de', 'Zwei  Wörter', 'Buy', 'spaces'],
    ['de', ' Kaufen', 'Buy', 'spaces'],
    ['de', 'Warten...', 'Buy', 'spaces'],
    ['hk', '買入,賣出', 'Buy', 'punctuation'],
    ['jp', '買い(売り)', 'Buy', 'punctuation'],
    ['ar', 'شراء, بيع', 'Buy', 'punctuation'],
    ['de', 'Kaufen!', 'Buy', 'exclamation'],
    ['vn', 'Mua ba\u0301n', 'Buy', 'nfc'],
    ['ar', '٣ أوامر', 'Buy', 'digits'],
    ['th', '๓ คำสั่ง', 'Buy', 'digits'],
    ['ar', 'شراء\u200f', 'Buy', 'digits'],
    ['hk', '买入', 'Buy', 'letters'],
    ['hk', '触及', 'Buy', 'letters'],
    ['hk', '已經買咗', 'Buy', 'letters'],
    ['ar', 'یک', 'Buy', 'letters'],
    ['de', 'Auszahlungsantrag zurückziehen', 'Buy', 'length'],
  ])('in %s: %j breaks a rule (English: %j): %s', (language, text, english, rule) => {
    expect(rulesBroken(language, text, english)).toContain(rule)
  })

  test.each<[LanguageCode, string, string]>([
    ['de', 'Noch {seconds} s', 'Again in {seconds} s'],
    ['hk', '{lots} 手', '{lots, select, 1 {1 lot} other {{lots} lots}}'],
    ['hk', '{count} 個持倉', '{count, plural, one {# position} other {# positions}}'],
    ['ru', '{n, plural, one {#} few {#} many {#} other {#}}', '{n, plural, one {#} other {#}}'],
    ['fr', 'Pourquoi\u202f?', 'Why?'],
    ['fr', '«\u202fLevier\u202f» à 12:30', 'Leverage'],
    ['fr', 'Motif\u00a0: {reason}', 'Reason: {reason}'],
    ['fr', 'Tapez --hash {row}:{hash}', 'Type --hash {row}:{hash}'],
    ['de', '„Hebel“', '“Leverage”'],
    ['hk', '「槓桿」：買（今天）', '“Leverage”'],
    ['jp', '買い・売り', 'Buy'],
    ['ar', '«شراء»، بيع؟', 'Buy'],
    ['vn', 'Mua bán', 'Buy'],
    ['de', 'IBAN', 'IBAN'],
    ['de', '{amount} %', '{amount} %'],
  ])('in %s: %j is well written', (language, text, english) => {
    expect(rulesBroken(language, text, english)).toEqual([])
  })

  test('of the English catalogue is not missing in a translation, nor has one more', () => {
    const texts = new Map([['surplus', 'x']])
    const findings = findingsOf({ ...checked('de', '', 'Buy'), texts })
    expect(findings.map(({ key, message }) => `${key} ${message}`)).toEqual([
      'key is missing',
      'surplus is no key of the English catalogue',
    ])
  })
})

test('characters of East Asia are twice as wide, combining marks take no room', () => {
  expect(['Buy', '買入', '매수', 'ซื้อ', 'mua'].map(widthOf)).toEqual([3, 4, 4, 2, 3])
})

describe('terms', () => {
  const differences = (language: LanguageCode, text: string, english: string): string[] =>
    termFindings(checked(language, text, english), readTerms()).map(({ message }) => message)

  test('are written with the glossary’s word, or one of its forms', () => {
    expect(differences('de', 'Freie Margin', 'Free margin')).toEqual([])
    expect(differences('ru', 'Свободной маржи нет', 'No free margin')).toEqual([])
    expect(differences('de', 'Sicherheiten', 'Free margin')).toEqual([
      'speaks of "free margin": write "freie Margin"',
    ])
  })
  test('are not written with a word that the glossary avoids', () => {
    expect(differences('jp', '出金を撤回', 'Cancel')).toHaveLength(1)
    expect(differences('hk', '觸及止損', 'Stop loss reached')).toEqual([
      'speaks of "stop loss": write "止蝕"',
      'says "止損": write "止蝕"',
    ])
  })
  test('in Chinese may be a part of the verb, but not left out', () => {
    const english = 'No new positions are opened'
    expect(differences('hk', '不會開新倉', english)).toEqual([])
    expect(differences('hk', '不會再進行', english)).toEqual(['speaks of "position": write "持倉"'])
  })
  test('inside longer terms do not count', () => {
    expect(differences('de', 'Freie Margin', 'Free margin')).toEqual([])
    expect(differences('it', 'Margine libero', 'Free margin')).toEqual([])
  })
})
