import { describe, expect, test } from 'vitest'
import { ALL, filterInstruments, MINE } from './list-filter.ts'

const rows = [
  { id: 1, code: 'EURUSD', showCode: 'EUR/USD', name: '', categoryId: 1, local: '歐元 · 美元' },
  { id: 2, code: 'XAUUSD', showCode: 'Gold', name: 'Gold spot', categoryId: 2, local: 'Gold spot' },
  { id: 3, code: 'GER40', showCode: 'Germany 40', name: 'DAX índex', categoryId: 3, local: 'DAX índex' },
]
const find = (text: string, categoryId = ALL) =>
  filterInstruments(rows, { categoryId, text }, (row) => row.local, new Set([1, 3])).map(({ code }) => code)

describe('searching instruments', () => {
  test('finds by code however it is written', () => {
    for (const text of ['eurusd', 'EUR USD', 'Eur/Usd', ' eur/usd ']) expect(find(text)).toEqual(['EURUSD'])
  })
  test('finds by the name in the reader’s language', () => {
    expect(find('歐元')).toEqual(['EURUSD'])
  })
  test('ignores accents', () => {
    expect(find('dax index')).toEqual(['GER40'])
  })
  test('keeps the order and everything when nothing is typed', () => {
    expect(find('')).toEqual(['EURUSD', 'XAUUSD', 'GER40'])
  })
  test('stays inside the own list', () => {
    expect(find('', MINE)).toEqual(['EURUSD', 'GER40'])
    expect(find('gold', MINE)).toEqual([])
  })
  test('stays inside the chosen category', () => {
    expect(find('usd', 2)).toEqual(['XAUUSD'])
    expect(find('eur', 2)).toEqual([])
  })
})
