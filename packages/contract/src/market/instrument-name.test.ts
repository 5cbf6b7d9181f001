import { expect, test } from 'vitest'
import { LANGUAGES } from '../accounts/language.ts'
import { instrumentName, type NamedInstrument, searchedNames } from './instrument-name.ts'
import { isSearchedFor } from './instrument-search.ts'
import { LOCAL_NAMES } from './local-names.ts'

const eurusd = { baseCurrency: 'EUR', quoteCurrency: 'USD', name: '' }

test('a pair is named after its currencies in the user’s language, anything else by its name', () => {
  expect(instrumentName(eurusd, 'en')).toBe('Euro · US Dollar')
  expect(instrumentName(eurusd, 'zh-HK')).toBe('歐元 · 美元')
  expect(instrumentName({ ...eurusd, baseCurrency: 'AAPL', name: 'Apple' }, 'zh-HK')).toBe('Apple')
  expect(instrumentName({ ...eurusd, baseCurrency: 'ALL', name: null }, 'en')).toBe('')
})

test('the offshore yuan is named as the yuan', () => {
  expect(instrumentName({ ...eurusd, quoteCurrency: 'CNH' }, 'en')).toBe('Euro · Chinese Yuan')
})

const gold = { baseCurrency: 'XAU', quoteCurrency: 'USD', name: 'Gold spot' }

test.each([
  ['en', 'Gold spot'],
  ['zh-HK', '現貨黃金'],
  ['ja', '金スポット'],
  ['ar', 'الذهب الفوري'],
  ['de', 'Gold (Kassa)'],
])('gold has a name in %s', (tag, name) => {
  expect(instrumentName(gold, tag)).toBe(name)
  // An operator who clears the name leaves it to the app.
  expect(instrumentName({ ...gold, name: null }, tag)).toBe(name)
})

test('a name that an operator has given stays, and gold is still found as gold', () => {
  const named = { ...gold, name: 'Loco London' }
  expect(instrumentName(named, 'zh-HK')).toBe('Loco London')
  for (const search of ['loco london', '現貨黃金', 'gold'])
    expect(isSearchedFor(searchedNames(named, 'zh-HK'), search)).toBe(true)
})

test('every name is written in every language, and no name is that of two instruments', () => {
  for (const { tag } of Object.values(LANGUAGES)) {
    const names = Object.keys(LOCAL_NAMES).map((code) =>
      instrumentName({ baseCurrency: code, quoteCurrency: 'USD', name: null }, tag),
    )
    expect(names.every((name) => name === name.trim() && name !== '')).toBe(true)
    expect(new Set(names).size).toBe(names.length)
  }
})

/** What is traded, and the names as the server gives them. */
const named = (baseCurrency: string, name: string): NamedInstrument => ({
  baseCurrency,
  quoteCurrency: 'USD',
  name,
})
const WTI = named('WTI', 'US crude oil')
const BRENT = named('BRENT', 'Brent crude oil')
const BITCOIN = named('BTC', 'Bitcoin')
const SHARE = named('AAPL', 'Apple')
const ALL = [eurusd, gold, WTI, BRENT, BITCOIN, SHARE]

test.each<[search: string, tag: string, found: readonly NamedInstrument[]]>([
  ['原油', 'zh-HK', [WTI, BRENT]],
  ['石油', 'ja', [WTI, BRENT]],
  ['نفط', 'ar', [WTI, BRENT]],
  ['النفط', 'ar', [WTI, BRENT]],
  ['خام', 'ar', [WTI, BRENT]],
  ['نفط أمريكى', 'ar', [WTI]],
  ['比特幣', 'zh-HK', [BITCOIN]],
  ['比特币', 'zh-HK', [BITCOIN]],
  ['بيتكوين', 'ar', [BITCOIN]],
  ['البيتكوين', 'ar', [BITCOIN]],
  ['ビットコイン', 'ja', [BITCOIN]],
  ['びっとこいん', 'ja', [BITCOIN]],
  ['الذهب', 'ar', [gold]],
  ['ذهب', 'ar', [gold]],
  ['黃金', 'zh-HK', [gold]],
  ['黄金', 'zh-HK', [gold]],
  ['ゴールド', 'ja', [gold]],
  ['ごーるど', 'ja', [gold]],
  ['ｺﾞｰﾙﾄﾞ', 'ja', [gold]],
  ['金', 'ja', [gold]],
  ['금', 'ko', [gold]],
  ['ทอง', 'th', [gold]],
  ['ゆーろ', 'ja', [eurusd]],
  ['ﾕｰﾛ', 'ja', [eurusd]],
  ['أمريكى', 'ar', [eurusd, WTI]],
  ['蘋果', 'zh-HK', [SHARE]],
  // A language of another market: the aliases are found in all.
  ['ذهب', 'de', [gold]],
  ['原油', 'en', [WTI, BRENT]],
])('%s, typed in %s, finds what is meant and nothing else', (search, tag, found) => {
  expect(ALL.filter((each) => isSearchedFor(searchedNames(each, tag), search))).toEqual(found)
})

test('an instrument is found by its names in the user’s language and in English, a metal too', () => {
  for (const [tag, search] of [
    ['zh-HK', '黃金'],
    ['ar', 'ذهب'],
    ['ja', '金'],
    ['de', 'gold'],
  ] as const)
    expect(isSearchedFor(searchedNames(gold, tag), search)).toBe(true)
  expect(isSearchedFor(searchedNames(eurusd, 'ar'), 'دولار يورو')).toBe(true)
  expect(isSearchedFor(searchedNames(eurusd, 'ar'), 'us dollar')).toBe(true)
  expect(isSearchedFor(searchedNames(eurusd, 'zh-HK'), '黃金')).toBe(false)
})
