import { searchedNames } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { ALL, filterInstruments, WATCHLIST } from './list-filter.tsx'

const rows = [
  { id: 1, code: 'EURUSD', showCode: 'EUR/USD', name: '', categoryId: 1, local: '歐元 · 美元' },
  { id: 2, code: 'XAUUSD', showCode: 'Gold', name: 'Gold spot', categoryId: 2, local: 'Gold spot' },
  { id: 3, code: 'GER40', showCode: 'Germany 40', name: 'DAX índex', categoryId: 3, local: 'DAX índex' },
]
const traded = (code: string, baseCurrency: string, quoteCurrency: string, name: string) => ({
  id: 1,
  categoryId: 1,
  code,
  showCode: code,
  name,
  baseCurrency,
  quoteCurrency,
})
const TRADED = [
  traded('EURCHF', 'EUR', 'CHF', ''),
  traded('USDCHF', 'USD', 'CHF', ''),
  traded('XAUUSD', 'XAU', 'USD', 'Gold spot'),
  traded('WTI', 'WTI', 'USD', 'US crude oil'),
  traded('BTCUSD', 'BTC', 'USD', 'Bitcoin'),
]
const find = (text: string, categoryId = ALL) =>
  filterInstruments(rows, { categoryId, text }, (row) => [row.name, row.local], new Set([1, 3])).map(
    ({ code }) => code,
  )

describe('searching instruments', () => {
  test('finds by code however it is written', () => {
    for (const text of ['eurusd', 'EUR USD', 'Eur/Usd', ' eur/usd ', 'eur-usd', 'usd/eur'])
      expect(find(text)).toEqual(['EURUSD'])
  })
  test('finds by the name in the reader’s language', () => {
    expect(find('歐元')).toEqual(['EURUSD'])
  })
  test.each<[text: string, tag: string, codes: readonly string[]]>([
    ['原油', 'zh-HK', ['WTI']],
    ['石油', 'ja', ['WTI']],
    ['نفط', 'ar', ['WTI']],
    ['خام', 'ar', ['WTI']],
    ['比特幣', 'zh-HK', ['BTCUSD']],
    ['比特币', 'zh-HK', ['BTCUSD']],
    ['بيتكوين', 'ar', ['BTCUSD']],
    ['الذهب', 'ar', ['XAUUSD']],
    ['ذهب', 'ar', ['XAUUSD']],
    ['黃金', 'zh-HK', ['XAUUSD']],
    ['ゴールド', 'ja', ['XAUUSD']],
    ['금', 'ko', ['XAUUSD']],
    ['ทอง', 'th', ['XAUUSD']],
    ['ゆーろ', 'ja', ['EURCHF']],
    ['ﾕｰﾛ', 'ja', ['EURCHF']],
    ['أمريكى', 'ar', ['USDCHF', 'WTI']],
  ])('finds %s in %s by the names that the list searches', (text, tag, codes) => {
    const filter = { categoryId: ALL, text }
    const found = filterInstruments(TRADED, filter, (row) => searchedNames(row, tag), new Set())
    expect(found.map(({ code }) => code)).toEqual(codes)
  })
  test('ignores accents', () => {
    expect(find('dax index')).toEqual(['GER40'])
  })
  test('finds WTI on a Turkish keyboard, whose i has a dot as a capital and none as ı', () => {
    const oil = { id: 4, code: 'WTI', showCode: 'WTI', name: 'Oil', categoryId: 4, local: 'Oil' }
    const lower = String.prototype.toLocaleLowerCase
    // What a Turkish device does: its rules must play no part.
    String.prototype.toLocaleLowerCase = function () {
      return lower.call(this, 'tr')
    }
    try {
      for (const text of ['wti', 'WTI', 'wtı', 'WTİ'])
        expect(filterInstruments([oil], { categoryId: ALL, text }, () => [], new Set())).toEqual([oil])
    } finally {
      String.prototype.toLocaleLowerCase = lower
    }
  })
  test('keeps the order and everything when nothing is typed', () => {
    expect(find('')).toEqual(['EURUSD', 'XAUUSD', 'GER40'])
  })
  test('stays within the watchlist', () => {
    expect(find('', WATCHLIST)).toEqual(['EURUSD', 'GER40'])
    expect(find('gold', WATCHLIST)).toEqual([])
  })
  test('stays within the chosen category', () => {
    expect(find('usd', 2)).toEqual(['XAUUSD'])
    expect(find('eur', 2)).toEqual([])
  })
})
