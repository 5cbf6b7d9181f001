import { expect, test } from 'vitest'
import { stepLine } from './balance-plot.tsx'

const line = (...balances: bigint[]) => stepLine(balances.map((balance) => ({ balance })))

test('is horizontal until the balance changes, then vertical to the next one', () => {
  expect(line(0n, 0n, 10n)).toBe('M0 100.0H200.0V100.0H400.0V0.0')
})

test('is in the middle while the balance is constant', () => {
  expect(line(5n, 5n)).toBe('M0 50.0H400.0V50.0')
  expect(line(5n)).toBe('M0 50.0')
})
