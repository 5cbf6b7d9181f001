import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Sums by day, which reports read: counted on from append-only tables, row by row in the order of their numbers. They can be emptied and
 * counted anew.
 */
export const reports = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    for (const [name, { key, words = [], figures }] of Object.entries(TABLES)) {
      let table = db.schema.createTable(name)
      for (const column of key)
        table = table.addColumn(column, words.includes(column) ? 'text' : 'bigint', (built) =>
          built.notNull(),
        )
      for (const column of figures) table = table.addColumn(column, 'bigint', (built) => built.notNull())
      await table.addPrimaryKeyConstraint(`${name}_key`, [...key] as never[]).execute()
    }
    await db.schema.createIndex('account_day_day').on('account_day').column('day').execute()
  },
})

type Sums = { key: readonly string[]; words?: readonly string[]; figures: readonly string[] }

const TABLES: Readonly<Record<string, Sums>> = {
  report_progress: { key: ['source'], words: ['source'], figures: ['last_id', 'up_to'] },
  money_day: {
    key: ['day', 'ledger', 'kind'],
    words: ['ledger', 'kind'],
    figures: ['amount', 'count'],
  },
  fill_day: {
    key: ['day', 'ledger', 'instrument_id', 'trigger'],
    words: ['ledger', 'trigger'],
    figures: ['fills', 'spread', 'slippage', 'better', 'worse', 'delay_ms', 'delay_most_ms'],
  },
  account_day: { key: ['account_id', 'day'], figures: ['orders', 'closed', 'result'] },
}
