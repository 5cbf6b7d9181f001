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
