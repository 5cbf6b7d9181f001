import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTables } from './new-tables.ts'

/** The counts of daily limits, so that a restart does not reset them. */
export const countedCodes = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await createTables(db, {
      day_count: [
        ['id', 'text'],
        ['key_hash', 'text'],
        ['at', 'bigint'],
      ],
    })
    await db.schema.createIndex('day_count_key_hash').on('day_count').columns(['key_hash', 'at']).execute()
    await db.schema.createIndex('day_count_at').on('day_count').column('at').execute()
  },
})
