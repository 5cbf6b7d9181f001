import { expect, test } from 'vitest'
import { countText, decimal, exactMoney, gainTone, money, signedMoney } from './figures.ts'

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

test('a gain has a plus and a loss a minus', () => {
  expect([25_000_000n, 0n, -500_000n].map(signedMoney)).toEqual(['+25.00', '0.00', '−0.50'])
})

test('an amount that is shown as zero has neither a sign nor the colour of a gain or a loss', () => {
  expect([4_999n, 0n, -4_999n].map(signedMoney)).toEqual(['0.00', '0.00', '0.00'])
  expect([4_999n, 0n, -4_999n].map(gainTone)).toEqual([undefined, undefined, undefined])
  expect([5_000n, -5_000n].map(gainTone)).toEqual(['up', 'down'])
})

test('a count has its unit in the right number', () => {
  expect([0, 1, 2].map((count) => countText(count, 'trader'))).toEqual(['0 traders', '1 trader', '2 traders'])
})

test('other decimals keep their digits', () => {
  expect(['1.17382', '-12345.6', '1000000'].map(decimal)).toEqual(['1.17382', '−12,345.6', '1,000,000'])
})
