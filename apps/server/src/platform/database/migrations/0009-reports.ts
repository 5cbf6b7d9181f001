import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Sums by day for reports, derived from append-only tables in the order of their ids. They can be emptied and calculated
 * again.
 */
export const reports = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    for (const [name, { key, texts = [], figures }] of Object.entries(TABLES)) {
      let table = db.schema.createTable(name)
      for (const column of key)
        table = table.addColumn(column, texts.includes(column) ? 'text' : 'bigint', (built) =>
          built.notNull(),
        )
      for (const column of figures) table = table.addColumn(column, 'bigint', (built) => built.notNull())
      await table.addPrimaryKeyConstraint(`${name}_key`, [...key] as never[]).execute()
    }
    await db.schema.createIndex('account_day_day').on('account_day').column('day').execute()
  },
})

type Sums = { key: readonly string[]; texts?: readonly string[]; figures: readonly string[] }

const TABLES: Readonly<Record<string, Sums>> = {
  report_progress: { key: ['source'], texts: ['source'], figures: ['last_id', 'up_to'] },
  money_day: {
    key: ['day', 'ledger', 'kind'],
    texts: ['ledger', 'kind'],
    figures: ['amount', 'count'],
  },
  fill_day: {
    key: ['day', 'ledger', 'instrument_id', 'trigger'],
    texts: ['ledger', 'trigger'],
    figures: ['fills', 'spread', 'slippage', 'better', 'worse', 'delay_ms', 'delay_most_ms'],
  },
  account_day: { key: ['account_id', 'day'], figures: ['orders', 'closed', 'result'] },
}
