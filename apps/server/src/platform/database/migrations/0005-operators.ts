import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { DatabaseKind } from '../database.ts'
import { createTables, makeAppendOnly, type Column } from './new-tables.ts'

/** Operators, their sessions, the audit log, approvals and case assignments. */
export const operators = (kind: DatabaseKind): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await createTables(db, TABLES)
    await makeAppendOnly(db, kind, 'desk_act')
    await db.schema.createIndex('operator_name').on('operator').column('name_key').unique().execute()
    await db.schema.createIndex('desk_act_account').on('desk_act').columns(['account_id', 'id']).execute()
    await db.schema.createIndex('approval_status').on('approval').columns(['status', 'id']).execute()
  },
})

const TABLES: Readonly<Record<string, readonly Column[]>> = {
  operator: [
    ['id', 'bigint'],
    ['name', 'text'],
    ['name_key', 'text'],
    ['role', 'text'],
    ['password_hash', 'text', 'nullable'],
    ['invitation_hash', 'text', 'nullable'],
    ['invited_until', 'bigint', 'nullable'],
    ['totp_secret', 'text', 'nullable'],
    ['totp_confirmed_at', 'bigint', 'nullable'],
    ['totp_last_step', 'bigint'],
    ['is_on', 'bigint'],
    ['created_at', 'bigint'],
    ['last_seen_at', 'bigint', 'nullable'],
  ],
  operator_recovery_code: [
    ['code_hash', 'text'],
    ['operator_id', 'bigint'],
  ],
  operator_session: [
    ['token_hash', 'text'],
    ['operator_id', 'bigint'],
    ['created_at', 'bigint'],
    ['seen_at', 'bigint'],
    ['device', 'text'],
    ['address', 'text'],
  ],
  desk_act: [
    ['id', 'bigint'],
    ['at', 'bigint'],
    ['operator_id', 'bigint'],
    ['operator_name', 'text'],
    ['role', 'text'],
    ['second_id', 'bigint', 'nullable'],
    ['second_name', 'text', 'nullable'],
    ['act', 'text'],
    ['subject', 'text'],
    ['account_id', 'bigint', 'nullable'],
    ['reason', 'text'],
    ['before', 'text', 'nullable'],
    ['after', 'text', 'nullable'],
    ['case_key', 'text', 'nullable'],
    ['outcome', 'text'],
    ['journal_at', 'bigint', 'nullable'],
    ['previous_hash', 'text'],
    ['hash', 'text'],
  ],
  approval: [
    ['id', 'bigint'],
    ['kind', 'text'],
    ['subject', 'text'],
    ['account_id', 'bigint', 'nullable'],
    ['body', 'text'],
    ['before', 'text', 'nullable'],
    ['after', 'text', 'nullable'],
    ['reason', 'text'],
    ['asked_by', 'bigint'],
    ['asked_name', 'text'],
    ['asked_role', 'text'],
    ['asked_at', 'bigint'],
    ['status', 'text'],
    ['decided_by', 'bigint', 'nullable'],
    ['decided_name', 'text', 'nullable'],
    ['decided_role', 'text', 'nullable'],
    ['decided_at', 'bigint', 'nullable'],
    ['decided_reason', 'text'],
  ],
  case_holder: [
    ['case_key', 'text'],
    ['operator_id', 'bigint'],
    ['since', 'bigint'],
  ],
}
