import { expect, test } from 'vitest'
import { codeIn, tradePath } from './selected-instrument.ts'

const CODES = ['EURUSD', 'XAUUSD']

test('a link names the instrument that it shows', () => {
  expect(tradePath('XAUUSD')).toBe('/trade?code=XAUUSD')
  expect(codeIn('?code=XAUUSD', CODES)).toBe('XAUUSD')
  expect(codeIn('?lang=en&code=xauusd', CODES)).toBe('XAUUSD')
})

test('a link to none, or to one that is not listed, names nothing', () => {
  for (const search of ['', '?code=', '?code=NOSUCH']) expect(codeIn(search, CODES)).toBeNull()
})
