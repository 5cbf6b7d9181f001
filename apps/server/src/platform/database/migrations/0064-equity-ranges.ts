import type { CreateTableBuilder, Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The lowest and highest equity of providers between full hours. */
export const equityRanges = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    let table: CreateTableBuilder<string, string> = db.schema.createTable('equity_range')
    for (const column of ['account_id', 'moment', 'lowest', 'highest', 'equity'])
      table = table.addColumn(column, 'bigint', (built) => built.notNull())
    await table.addPrimaryKeyConstraint('equity_range_key', ['account_id', 'moment']).execute()
  },
})
