import { expect, test } from 'vitest'
import { instrumentName, markOf, signsOf } from './currency.ts'

const eurusd = { baseCurrency: 'EUR', quoteCurrency: 'USD', code: 'EURUSD', name: '' }
const gold = { baseCurrency: 'XAU', quoteCurrency: 'USD', code: 'XAUUSD', name: 'Gold spot' }
const share = { baseCurrency: 'NVDA', quoteCurrency: 'USD', code: 'NVDA', name: 'Nvidia' }

test('a pair is named by its currencies in the language of the reader', () => {
  expect(instrumentName(eurusd, 'en')).toBe('Euro · US Dollar')
  expect(instrumentName(eurusd, 'zh-HK')).toBe('歐元 · 美元')
  expect(instrumentName(gold, 'en')).toBe('Gold spot')
})

test('the offshore yuan is named as the yuan', () => {
  expect(instrumentName({ ...eurusd, quoteCurrency: 'CNH' }, 'en')).toBe('Euro · Chinese Yuan')
})

test('a pair shows two coins, everything else one ring', () => {
  expect(signsOf(eurusd)).toEqual(['€', '$'])
  expect(signsOf(gold)).toEqual(['Au'])
  expect(signsOf(share)).toEqual(['N'])
})

test('a picture is shown only where it is one of this server: another house would learn who looks', () => {
  const logo = '/files/abcdefgh-1.png'
  expect(markOf({ ...gold, logo })).toEqual({ signs: ['Au'], picture: logo })
  for (const foreign of ['https://elsewhere.example/p.png', '//elsewhere.example/p.png', ''])
    expect(markOf({ ...gold, logo: foreign }).picture).toBeNull()
})
