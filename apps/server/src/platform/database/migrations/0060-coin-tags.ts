import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The tag or memo of the deployment's own addresses, and of deposits to them. None has one so far. */
export const coinTags = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    for (const table of ['deposit_channel', 'deposit'])
      await db.schema
        .alterTable(table)
        .addColumn('tag', 'text', (column) => column.notNull().defaultTo(''))
        .execute()
  },
})
