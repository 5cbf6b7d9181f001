import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * The second version of the ranking's method: scores and falls are exact, and the figures of every strategy are computed
 * again from publication on.
 */
export const rankingMethod = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    for (const table of ['strategy_figures', 'strategy_day', 'strategy_order'])
      await sql`delete from ${sql.table(table)}`.execute(db)
    await db.schema.dropIndex('strategy_figures_score').execute()
    await db.schema.alterTable('strategy_figures').dropColumn('score').execute()
    await db.schema
      .alterTable('strategy_figures')
      .addColumn('score', 'text', (built) => built.notNull().defaultTo(''))
      .execute()
    // The default order, and all that a page of it needs.
    await sql`create index strategy_figures_score on strategy_figures
      (span, ledger, is_short, score desc, orders desc, strategy_id, ended_at)`.execute(db)
    await db.schema.alterTable('strategy_day').dropColumn('drawdown').execute()
    for (const column of ['fall_from', 'fall_to'])
      await db.schema
        .alterTable('strategy_day')
        .addColumn(column, 'bigint', (built) => built.notNull().defaultTo(0))
        .execute()
  },
})
