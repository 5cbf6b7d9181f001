import { createHash } from 'node:crypto'
import type { DeskActTable } from './desk-schema.ts'

/** The previous hash of the first audit entry. */
export const NOTHING_BEFORE = '0'.repeat(64)

/** SHA-256 of all columns of an audit entry in their order, the previous hash included. */
export const hashOfAuditEntry = (row: Omit<DeskActTable, 'hash'>): string =>
  createHash('sha256')
    .update(JSON.stringify(COLUMNS.map((column) => (row[column] === null ? null : String(row[column])))))
    .digest('hex')

const COLUMNS = [
  ...(['id', 'at', 'operator_id', 'operator_name', 'role', 'second_id', 'second_name', 'act'] as const),
  ...(['subject', 'account_id', 'reason', 'before', 'after', 'case_key', 'outcome', 'journal_at'] as const),
  'previous_hash',
] as const
