import { describe, expect, it } from 'vitest'
import { hashOfAuditEntry, NOTHING_BEFORE } from './audit-hash.ts'
import type { DeskActTable } from './desk-schema.ts'

type Row = Omit<DeskActTable, 'hash'>

/**
 * The hashes were computed with another program: `printf %s '<text>' | sha256sum`. Anybody who keeps a published hash can
 * check a row the same way, so these values must never change.
 */
const FIRST: Row = {
  id: 1n,
  at: 1_700_000_000_123n,
  operator_id: 7n,
  operator_name: 'Dee',
  role: 'dealing',
  second_id: null,
  second_name: null,
  act: 'halt',
  subject: 'instrument:EURUSD',
  account_id: null,
  reason: 'a "storm", 風暴',
  before: null,
  after: '{"halted":true}',
  case_key: null,
  outcome: 'done',
  journal_at: 1_700_000_000_100n,
  previous_hash: NOTHING_BEFORE,
}
/*
 * ["1","1700000000123","7","Dee","dealing",null,null,"halt","instrument:EURUSD",null,"a \"storm\", 風暴",null,"{\"halted\":true}",null,
 * "done","1700000000100","0000000000000000000000000000000000000000000000000000000000000000"], in one line without a space between
 */
const FIRST_HASH = '20ef6e8284eef0970506ff3a2941f0553717cd9b29ee03ee2cc59ccab77ec284'

const SECOND: Row = {
  id: 2n,
  at: 1_700_000_000_456n,
  operator_id: 8n,
  operator_name: 'Fay',
  role: 'finance',
  second_id: 9n,
  second_name: 'Ada',
  act: 'decideWithdrawal',
  subject: 'withdrawal:12',
  account_id: 41n,
  reason: 'sent',
  before: '{"status":"held"}',
  after: '{"status":"paid"}',
  case_key: 'withdrawal:12',
  outcome: 'sameOperator',
  journal_at: null,
  previous_hash: FIRST_HASH,
}
const SECOND_HASH = 'fb62ae8c841ccd2d92d8773c161e7559ef05e44fe3862fee67d79f68e4919b9c'

/** Another value in each column. */
const OTHERS: Row = {
  id: 3n,
  at: 1_700_000_000_457n,
  operator_id: 80n,
  operator_name: 'Eve',
  role: 'administrator',
  second_id: null,
  second_name: null,
  act: 'decideDeposit',
  subject: 'withdrawal:13',
  account_id: 42n,
  reason: 'sent twice',
  before: null,
  after: '{"status":"rejected"}',
  case_key: null,
  outcome: 'done',
  journal_at: 1n,
  previous_hash: NOTHING_BEFORE,
}

describe('the hash of an audit entry', () => {
  it('equals the hash that another program computes', () => {
    expect(hashOfAuditEntry(FIRST)).toBe(FIRST_HASH)
    expect(hashOfAuditEntry(SECOND)).toBe(SECOND_HASH)
  })

  it.each(Object.entries(OTHERS))('covers the column %s', (column, other) => {
    expect(hashOfAuditEntry({ ...SECOND, [column]: other })).not.toBe(SECOND_HASH)
  })
})
