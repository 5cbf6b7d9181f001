import { expect, test } from 'vitest'
import { instrumentName, logoOf, symbolsOf } from './currency.ts'

const eurusd = { baseCurrency: 'EUR', quoteCurrency: 'USD', code: 'EURUSD', name: '' }
const gold = { baseCurrency: 'XAU', quoteCurrency: 'USD', code: 'XAUUSD', name: 'Gold spot' }
const share = { baseCurrency: 'NVDA', quoteCurrency: 'USD', code: 'NVDA', name: 'Nvidia' }

test('a pair is named after its currencies in the user’s language', () => {
  expect(instrumentName(eurusd, 'en')).toBe('Euro · US Dollar')
  expect(instrumentName(eurusd, 'zh-HK')).toBe('歐元 · 美元')
  expect(instrumentName(gold, 'en')).toBe('Gold spot')
})

test('the offshore yuan is named as the yuan', () => {
  expect(instrumentName({ ...eurusd, quoteCurrency: 'CNH' }, 'en')).toBe('Euro · Chinese Yuan')
})

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
