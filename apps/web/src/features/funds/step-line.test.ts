import { expect, test } from 'vitest'
import { stepLine } from './step-line.ts'

const line = (...balances: bigint[]) => stepLine(balances.map((balance) => ({ balance })))

test('stays level until the balance changes, then goes straight to the next', () => {
  expect(line(0n, 0n, 10n)).toBe('M0 100.0H200.0V100.0H400.0V0.0')
})

test('lies in the middle while nothing changes', () => {
  expect(line(5n, 5n)).toBe('M0 50.0H400.0V50.0')
  expect(line(5n)).toBe('M0 50.0')
})
