import { expect, test } from 'vitest'
import { readAmount } from './amount-field.tsx'

test.each([
  ['100.5', 100_500_000n],
  ['0.123456', 123_456n],
])('%j is an amount', (text, units) => {
  expect(readAmount(text)).toBe(units)
})

test.each(['1,000', '0', '0.00', '-5', '1e3', '1e309', '.5', '5.', '0.1234567', 'NaN', ''])(
  '%j is no amount, or one that may be read in two ways',
  (text) => {
    expect(readAmount(text)).toBeNull()
  },
)
