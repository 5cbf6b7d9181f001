import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What an owner may change of a running copy, and the multiplier that counted for a skipped order. */
export const copyTerms = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .alterTable('copy')
      .addColumn('excluded', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    await db.schema.alterTable('copy_skip').addColumn('multiplier', 'bigint').execute()
  },
})
