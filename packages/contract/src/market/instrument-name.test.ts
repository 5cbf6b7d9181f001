import { expect, test } from 'vitest'
import { instrumentName } from './instrument-name.ts'

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
