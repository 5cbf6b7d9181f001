import { expect, test } from 'vitest'
import type { LedgerRecord } from '@fairlot/contract'
import { money } from '@fairlot/core'
import {
  groupWithdrawals,
  recordPath,
  type WithdrawalRecords,
  withdrawalState,
  withdrawnAmount,
} from './record-list.tsx'

const record = (id: number, kind: LedgerRecord['kind'], amount: bigint, caseId: number | null = null) => ({
  id,
  kind,
  amount: money(amount),
  caseId,
  orderId: null,
  memo: kind,
  createdAt: id,
  balance: money(0n),
  isFrozen: kind === 'withdrawalPaid' || kind === 'withdrawalFee',
})
const HELD = record(2, 'withdrawalHeld', -12_000n, 9)
const PAID = record(5, 'withdrawalPaid', -11_999n, 9)
const FEE = record(6, 'withdrawalFee', -1n, 9)
const OTHER = record(3, 'fee', -2n)

const only = (records: readonly LedgerRecord[]) => groupWithdrawals(records)[0] as WithdrawalRecords

test('the bookings of a withdrawal are one line, at the place of the newest', () => {
  expect(groupWithdrawals([FEE, PAID, OTHER, HELD])).toEqual([
    { caseId: 9, records: [FEE, PAID, HELD] },
    OTHER,
  ])
})

test('its amount is the amount held, whichever bookings are loaded', () => {
  expect([withdrawnAmount(only([FEE, PAID, HELD])), withdrawalState(only([FEE, PAID, HELD]))]).toEqual([
    -12_000n,
    'paid',
  ])
  expect(withdrawnAmount(only([FEE, PAID]))).toBe(-12_000n)
  expect([withdrawnAmount(only([HELD])), withdrawalState(only([HELD]))]).toEqual([-12_000n, 'held'])
})

test('a released withdrawal has the amount zero', () => {
  const line = only([record(8, 'withdrawalReleased', 12_000n, 9), HELD])
  expect([withdrawnAmount(line), withdrawalState(line)]).toEqual([0n, 'released'])
})

test('two withdrawals are two lines', () => {
  expect(groupWithdrawals([record(7, 'withdrawalHeld', -5n, 10), HELD])).toHaveLength(2)
})

const booking = (change: Partial<LedgerRecord>): LedgerRecord =>
  ({ kind: 'fee', orderId: null, caseId: null, ...change }) as LedgerRecord

test.each([
  ['of an order', { orderId: 41 }, '?order=41'],
  ['of an order that an adjustment is about', { kind: 'adjustment', orderId: 41 }, '?order=41'],
  ['of a deposit', { kind: 'deposit', caseId: 9 }, '?deposit=9'],
  ['of a withdrawal', { kind: 'withdrawalHeld', caseId: 12 }, '/mine/withdraw?id=12'],
  ['of its fee', { kind: 'withdrawalFee', caseId: 12 }, '/mine/withdraw?id=12'],
  ['of an operator', { kind: 'adjustment', caseId: 3 }, '/mine/activity'],
  ['of nothing else', {}, null],
] as const)('a booking %s links to its origin', (_what, change, path) =>
  expect(recordPath(booking(change))).toBe(path),
)
