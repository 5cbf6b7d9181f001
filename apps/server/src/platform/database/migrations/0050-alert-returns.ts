import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Alerts that wait for the price to be on their other side. Those that have fired so far do not. */
export const alertReturns = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .alterTable('alert')
      .addColumn('awaits_return', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
  },
})
