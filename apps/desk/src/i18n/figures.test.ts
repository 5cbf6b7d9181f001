import { expect, test } from 'vitest'
import { decimal, exactMoney, money, signedMoney } from './figures.ts'

test.each([
  [12_400_000_000n, '12,400.00'],
  [-1_204_300_000_000n, '−1,204,300.00'],
  [5_000n, '0.01'],
  [-4_999n, '0.00'],
  [0n, '0.00'],
])('%d millionths are %s', (units, text) => expect(money(units)).toBe(text))

test.each([
  [12_345_678n, '12.345678'],
  [12_340_000n, '12.34'],
  [-1_500_000n, '−1.50'],
  [1_000_100n, '1.0001'],
])('%d millionths are exactly %s', (units, text) => expect(exactMoney(units)).toBe(text))

test('a sign stands before what came as well as before what went', () => {
  expect([25_000_000n, 0n, -500_000n].map(signedMoney)).toEqual(['+25.00', '0.00', '−0.50'])
})

test('any other decimal keeps its digits', () => {
  expect(['1.17382', '-12345.6', '1000000'].map(decimal)).toEqual(['1.17382', '−12,345.6', '1,000,000'])
})
