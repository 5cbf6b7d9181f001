import type { WaitingCase, WaitingDetail } from '@fairlot/contract/desk'
import { money } from '@fairlot/core/number'

const HOUR_MS = 3_600_000

/** A waiting adjustment; a test overrides what it needs. */
export const waitingCase = (changes: Partial<WaitingCase> = {}): WaitingCase => ({
  caseKey: 'adjustment:17',
  kind: 'adjustment',
  title: 'Adjustment 17',
  what: 'fee taken twice',
  accountId: 17,
  amount: money(25_000_000n),
  since: Date.now() - HOUR_MS,
  askedBy: 'S. Support',
  heldBy: null,
  risk: 'raised',
  riskReasons: ['above 10 USD: needs a second operator'],
  needsSecond: true,
  ...changes,
})

/** The details of that case. */
export const waitingDetail = (
  changes: Partial<Omit<WaitingDetail, 'case'>> & { case?: WaitingCase } = {},
): WaitingDetail => ({
  case: waitingCase(),
  reason: 'fee taken twice',
  facts: [{ label: 'Balance', format: 'money', value: '1204.5', tone: 'plain' }],
  changes: [],
  related: [],
  approvalId: null,
  steps: [
    {
      title: 'Requested',
      state: 'done',
      by: 'S. Support (support)',
      at: Date.now(),
      note: 'fee taken twice',
    },
    { title: 'Approved or rejected', state: 'now', by: null, at: null, note: 'with a reason' },
  ],
  words: [
    { when: 'approved', language: 'hk', text: '已入帳' },
    { when: 'approved', language: 'en', text: 'Balance adjustment booked' },
  ],
  noWords: '',
  acts: [],
  decision: 'adjustment',
  barrier: null,
  deciders: ['compliance', 'finance', 'administrator'],
  mayWithdraw: false,
  ...changes,
})
