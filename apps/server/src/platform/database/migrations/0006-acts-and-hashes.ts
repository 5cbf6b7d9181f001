import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTables } from './new-tables.ts'

/** Indexes for searching the audit log, and the mailed hashes. */
export const actsAndHashes = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await createTables(db, {
      mailed_hash: [
        ['day', 'text'],
        ['at', 'bigint'],
        ['journal_seq', 'bigint'],
        ['journal_hash', 'text'],
        ['act_id', 'bigint'],
        ['act_hash', 'text'],
        ['recipients', 'text'],
      ],
    })
    for (const columns of [['operator_id', 'id'], ['act', 'id'], ['subject', 'id'], ['at'], ['journal_at']])
      await db.schema.createIndex(`desk_act_${columns[0]}`).on('desk_act').columns(columns).execute()
  },
})
