import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Kept prices say which mark-up is in them; in those so far there is none. */
export const markUp = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    for (const table of ['quote', 'price_mark'])
      await db.schema
        .alterTable(table)
        .addColumn('mark_up', 'bigint', (built) => built.notNull().defaultTo(0))
        .execute()
  },
})
