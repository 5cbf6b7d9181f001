import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The mark-up contained in stored prices; none in existing ones. */
export const markUp = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    for (const table of ['quote', 'price_mark'])
      await db.schema
        .alterTable(table)
        .addColumn('mark_up', 'bigint', (built) => built.notNull().defaultTo(0))
        .execute()
  },
})
