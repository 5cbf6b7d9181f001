import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTables, type Column } from './new-tables.ts'

/** Identity checks, and the id of the key that encrypts secrets. */
export const identity = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await createTables(db, TABLES)
    for (const [name, columns] of INDEXES)
      await db.schema.createIndex(name).on('identity_check').columns(columns).execute()
  },
})

const INDEXES: readonly (readonly [name: string, columns: string[]])[] = [
  ['identity_check_waiting', ['status', 'sent_at']],
  ['identity_check_number', ['number_mark']],
]

const TABLES: Readonly<Record<string, readonly Column[]>> = {
  data_key: [
    ['key_id', 'text'],
    ['first_used_at', 'bigint'],
  ],
  identity_check: [
    ['user_id', 'bigint'],
    ['status', 'text'],
    ['name', 'text'],
    ['number', 'text'],
    ['number_mark', 'text'],
    ['front', 'text'],
    ['reverse', 'text'],
    ['sent_at', 'bigint'],
    ['times_sent', 'bigint'],
    ['decided_at', 'bigint', 'nullable'],
    ['faults', 'text'],
  ],
}
