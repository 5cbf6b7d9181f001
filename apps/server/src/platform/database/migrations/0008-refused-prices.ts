import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTables, type Column } from './new-tables.ts'

/** Refused and held prices, for operators to inspect. */
export const refusedPrices = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await createTables(db, TABLES)
    await db.schema.createIndex('refused_price_at').on('refused_price').columns(['at', 'slot']).execute()
    await db.schema
      .createIndex('refused_price_instrument')
      .on('refused_price')
      .columns(['instrument_id', 'at'])
      .execute()
  },
})

const TABLES: Readonly<Record<string, readonly Column[]>> = {
  refused_price: [
    ['slot', 'text'],
    ['instrument_id', 'bigint'],
    ['number', 'bigint'],
    ['source', 'text'],
    ['bid', 'text'],
    ['ask', 'text'],
    ['time', 'bigint', 'nullable'],
    ['at', 'bigint'],
    ['reason', 'text'],
  ],
  held_price: [
    ['key', 'text'],
    ['instrument_id', 'bigint'],
    ['number', 'bigint'],
    ['source', 'text'],
    ['bid', 'bigint'],
    ['ask', 'bigint'],
    ['price_decimals', 'bigint'],
    ['time', 'bigint'],
    ['at', 'bigint'],
    ['reason', 'text'],
  ],
}
