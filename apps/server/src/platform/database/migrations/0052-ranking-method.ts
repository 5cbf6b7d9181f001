import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The second version of the ranking's method: the figures of every strategy are computed again from publication on. */
export const rankingMethod = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    for (const table of ['strategy_figures', 'strategy_day', 'strategy_order'])
      await sql`delete from ${sql.table(table)}`.execute(db)
  },
})
