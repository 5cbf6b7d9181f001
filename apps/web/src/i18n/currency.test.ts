import { expect, test } from 'vitest'
import { logoOf, symbolsOf } from './currency.ts'

const eurusd = { baseCurrency: 'EUR', quoteCurrency: 'USD', code: 'EURUSD' }
const gold = { baseCurrency: 'XAU', quoteCurrency: 'USD', code: 'XAUUSD' }
const share = { baseCurrency: 'NVDA', quoteCurrency: 'USD', code: 'NVDA' }

test('a pair shows two coins, everything else one ring', () => {
  expect(symbolsOf(eurusd)).toEqual(['€', '$'])
  expect(symbolsOf(gold)).toEqual(['Au'])
  expect(symbolsOf(share)).toEqual(['N'])
})

test('only pictures of this server are shown, since another server could track users', () => {
  const logo = '/files/abcdefgh-1.png'
  expect(logoOf({ ...gold, logo })).toEqual({ symbols: ['Au'], picture: logo })
  for (const foreign of ['https://elsewhere.example/p.png', '//elsewhere.example/p.png', ''])
    expect(logoOf({ ...gold, logo: foreign }).picture).toBeNull()
})
