import { describe, expect, test } from 'vitest'
import { ALL, filterInstruments, WATCHLIST } from './list-filter.tsx'

const rows = [
  { id: 1, code: 'EURUSD', showCode: 'EUR/USD', name: '', categoryId: 1, local: '歐元 · 美元' },
  { id: 2, code: 'XAUUSD', showCode: 'Gold', name: 'Gold spot', categoryId: 2, local: 'Gold spot' },
  { id: 3, code: 'GER40', showCode: 'Germany 40', name: 'DAX índex', categoryId: 3, local: 'DAX índex' },
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
