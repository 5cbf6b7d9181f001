import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The sent and the arrived amount of deposits, and fixed rates of deposit methods. Existing deposits are in the account currency. */
export const depositRates = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    for (const column of ['sent', 'arrived'])
      await db.schema.alterTable('money_case').addColumn(column, 'text').execute()
    for (const table of ['deposit_channel', 'wire_account'])
      await db.schema.alterTable(table).addColumn('fixed_rate', 'bigint').execute()
  },
})
