import { expect, test } from 'vitest'
import { instrumentName, searchedNames } from './instrument-name.ts'
import { isSearchedFor } from './instrument-search.ts'

const eurusd = { baseCurrency: 'EUR', quoteCurrency: 'USD', name: '' }

test('a pair is named after its currencies in the user’s language, anything else by its name', () => {
  expect(instrumentName(eurusd, 'en')).toBe('Euro · US Dollar')
  expect(instrumentName(eurusd, 'zh-HK')).toBe('歐元 · 美元')
  expect(instrumentName({ ...eurusd, baseCurrency: 'XAU', name: 'Gold spot' }, 'en')).toBe('Gold spot')
  expect(instrumentName({ ...eurusd, baseCurrency: 'ALL', name: null }, 'en')).toBe('')
})

test('the offshore yuan is named as the yuan', () => {
  expect(instrumentName({ ...eurusd, quoteCurrency: 'CNH' }, 'en')).toBe('Euro · Chinese Yuan')
})

test('an instrument is found by its names in the user’s language and in English, a metal too', () => {
  const gold = { baseCurrency: 'XAU', quoteCurrency: 'USD', name: 'Gold spot' }
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
