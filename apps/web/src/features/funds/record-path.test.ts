import type { LedgerRecord } from '@fairlot/contract'
import { expect, test } from 'vitest'
import { recordPath } from './record-path.ts'

const record = (change: Partial<LedgerRecord>): LedgerRecord =>
  ({ kind: 'fee', orderId: null, caseId: null, ...change }) as LedgerRecord

test.each([
  ['of an order', { orderId: 41 }, '?order=41'],
  ['of an order that a correction is about', { kind: 'adjustment', orderId: 41 }, '?order=41'],
  ['of a deposit', { kind: 'deposit', caseId: 9 }, '?deposit=9'],
  ['of a withdrawal', { kind: 'withdrawalHeld', caseId: 12 }, '/mine/withdraw?id=12'],
  ['of its fee', { kind: 'withdrawalFee', caseId: 12 }, '/mine/withdraw?id=12'],
  ['of an operator', { kind: 'adjustment', caseId: 3 }, '/mine/activity'],
  ['of nothing else', {}, null],
] as const)('a booking %s leads to what it was for', (_what, change, path) =>
  expect(recordPath(record(change))).toBe(path),
)
