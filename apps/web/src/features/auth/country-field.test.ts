import { expect, test } from 'vitest'
import { findCountries } from './country-field.tsx'

const area = (id: number, code: string, callingCode: string, name: string) => ({
  id,
  code,
  callingCode,
  name,
  isBlocked: false,
})
const areas = [
  area(1, 'CI', '225', 'Côte d’Ivoire'),
  area(2, 'HK', '852', 'Hong Kong'),
  area(3, 'GB', '44', 'United Kingdom'),
  area(4, 'US', '1', 'United States'),
  area(5, 'KN', '1', 'St. Kitts and Nevis'),
]
const found = (text: string): string[] => findCountries(areas, text).map(({ code }) => code)

test.each([
  ['', ['CI', 'HK', 'GB', 'US', 'KN']],
  ['united', ['GB', 'US']],
  ['cote', ['CI']],
  ['king', ['GB']],
  ['hk', ['HK']],
  ['kn', ['KN']],
  ['+1', ['US', 'KN']],
  ['852', ['HK']],
  ['nowhere', []],
])('%j finds %j', (text, codes) => {
  expect(found(text)).toEqual(codes)
})

test('names that begin with the text come first', () => {
  expect(found('st')).toEqual(['KN', 'US'])
})
