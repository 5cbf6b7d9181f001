import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTables, type Column } from './new-tables.ts'

/** Details of deposits and withdrawals, receiving methods, and verified users. */
export const payments = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await createTables(db, TABLES)
    for (const [name, table, columns] of INDEXES)
      await db.schema.createIndex(name).on(table).columns(columns).execute()
  },
})

const INDEXES: readonly (readonly [name: string, table: string, columns: string[]])[] = [
  ['deposit_user', 'deposit', ['user_id', 'kind', 'case_id']],
  ['deposit_proof', 'deposit', ['proof_hash']],
  ['deposit_channel_day', 'deposit', ['kind', 'channel_id', 'told_at']],
  ['withdrawal_user', 'withdrawal', ['user_id', 'kind', 'case_id']],
  ['withdrawal_reference', 'withdrawal', ['reference']],
  ['receiving_method_user', 'receiving_method', ['user_id', 'kind', 'id']],
  ['receiving_method_account', 'receiving_method', ['account_key']],
]

const TABLES: Readonly<Record<string, readonly Column[]>> = {
  deposit: [
    ['case_id', 'bigint'],
    ['user_id', 'bigint'],
    ['kind', 'text'],
    ['channel_id', 'bigint'],
    ['currency_code', 'text'],
    ['protocol_code', 'text'],
    ['address', 'text'],
    ['shown_address', 'text'],
    ['proof', 'text'],
    ['proof_hash', 'text'],
    ['told_at', 'bigint'],
  ],
  withdrawal: [
    ['case_id', 'bigint'],
    ['user_id', 'bigint'],
    ['currency_id', 'bigint'],
    ['code', 'text'],
    ['protocol', 'text'],
    ['kind', 'text'],
    ['price', 'text'],
    ['received', 'text'],
    ['method_id', 'bigint'],
    ['method', 'text'],
    ['memo', 'text'],
    ['asked_at', 'bigint'],
    ['taken_back_at', 'bigint', 'nullable'],
    ['approved_at', 'bigint', 'nullable'],
    ['approved_by', 'bigint', 'nullable'],
    ['approved_name', 'text', 'nullable'],
    ['approved_role', 'text', 'nullable'],
    ['reference', 'text'],
  ],
  receiving_method: [
    ['id', 'bigint'],
    ['user_id', 'bigint'],
    ['currency_id', 'bigint'],
    ['kind', 'text'],
    ['details', 'text'],
    ['account_key', 'text'],
    ['bound_at', 'bigint'],
    ['removed_at', 'bigint', 'nullable'],
  ],
  verified_person: [
    ['user_id', 'bigint'],
    ['at', 'bigint'],
    ['operator_id', 'bigint'],
    ['reason', 'text'],
  ],
}
