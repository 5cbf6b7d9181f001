import { describe, expect, it } from 'vitest'
import { isSearchedFor } from './instrument-search.ts'

const EURO = ['EURUSD', 'EUR/USD', '', 'Euro · US dollar']
const YEN = ['USDJPY', 'USD/JPY', '', 'US dollar · Japanese yen']
const DAX = ['GER40', 'Germany 40', 'DAX índex']

describe('an instrument is found', () => {
  it.each(['eurusd', 'EUR USD', 'eur-usd', ' Eur/Usd ', 'eur.usd', 'EUR·USD', 'eur_usd', 'ＥＵＲＵＳＤ'])(
    'by its code however it is written: %j',
    (search) => {
      expect(isSearchedFor(EURO, search)).toBe(true)
      expect(isSearchedFor(YEN, search)).toBe(false)
    },
  )

  it.each(['usd/eur', 'usd eur', 'dollar euro'])('by its parts in any order: %j', (search) => {
    expect(isSearchedFor(EURO, search)).toBe(true)
    expect(isSearchedFor(YEN, search)).toBe(false)
  })

  it('by words of its names', () => {
    expect([EURO, YEN, DAX].filter((texts) => isSearchedFor(texts, 'dollar yen'))).toEqual([YEN])
    expect(isSearchedFor(DAX, 'dax index')).toBe(true)
    expect(isSearchedFor(['XAUUSD', '黃金'], '黃金')).toBe(true)
  })

  it.each([
    ['hiragana for katakana', 'ゆーろ', 'ユーロ'],
    ['katakana for hiragana', 'キン', 'きん'],
    ['half-width kana', 'ﾕｰﾛ', 'ユーロ'],
    ['half-width kana with marks', 'ｺﾞｰﾙﾄﾞ', 'ゴールド'],
    ['alef without hamza', 'امريكي', 'أمريكي'],
    ['alef with hamza below', 'إسترليني', 'استرليني'],
    ['alef with madda', 'آبل', 'ابل'],
    ['alef maksura for yeh', 'أمريكى', 'أمريكي'],
    ['heh for teh marbuta', 'فضه', 'فضة'],
    ['tatweel', 'ذهـــب', 'ذهب'],
    ['vowels', 'ذَهَب', 'ذهب'],
    ['an article', 'الذهب', 'ذهب'],
    ['no article', 'ذهب', 'الذهب'],
    ['no articles in several words', 'نفط خام', 'النفط الخام'],
    ['one article of two', 'خام النفط', 'النفط الخام'],
    ['letters like an article', 'الم', 'ألماني'],
    ['a Persian keyboard', 'آمریکی', 'أمريكي'],
    ['Arabic digits', '٤٠', '40'],
    ['full-width letters', 'ＤＡＸ', 'dax'],
    ['no bar in đ', 'dong', 'đồng'],
  ])('by %s: %s for %s', (_, search, text) => {
    expect(isSearchedFor([text], search)).toBe(true)
    expect(isSearchedFor(['EURUSD'], search)).toBe(false)
  })

  it('by parts of names in a script without spaces', () => {
    expect(isSearchedFor(['EURUSD', 'ユーロ · 米ドル'], 'ユーロ ドル')).toBe(true)
    expect(isSearchedFor(['EURJPY', 'ユーロ · 日本円'], 'ユーロ ドル')).toBe(false)
  })

  it('never by letters in the middle of a name’s word, where several are searched', () => {
    const aussie = ['EURAUD', 'EUR/AUD', '', 'Euro · Australian dollar']
    expect([EURO, aussie].filter((texts) => isSearchedFor(texts, 'eur us'))).toEqual([EURO])
    expect(isSearchedFor(aussie, 'straliandollar')).toBe(true)
  })

  it('without a word: every one, and none by signs alone', () => {
    for (const search of ['', '  ']) expect(isSearchedFor(YEN, search)).toBe(true)
    for (const search of ['/', '%', '\u0000', '-']) expect(isSearchedFor(YEN, search)).toBe(false)
  })

  it('never by a part of another instrument', () => {
    for (const search of ['gbp', 'eur jpy', 'x'.repeat(10_000)])
      expect(isSearchedFor(EURO, search)).toBe(false)
  })
})
