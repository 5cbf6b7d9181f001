import { sql, type CreateTableBuilder, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Candles by source, counts of refused ticks, watch lists, and an index of ended orders. */
export const pricesAndWatchLists = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await giveCandlesTheirSource(db)
    await db.schema
      .createTable('refused_tick')
      .addColumn('instrument_id', 'bigint', (built) => built.notNull())
      .addColumn('reason', 'text', (built) => built.notNull())
      .addColumn('count', 'bigint', (built) => built.notNull())
      .addPrimaryKeyConstraint('refused_tick_key', ['instrument_id', 'reason'])
      .execute()
    await db.schema
      .createTable('watched_instrument')
      .addColumn('user_id', 'bigint', (built) => built.notNull())
      .addColumn('instrument_id', 'bigint', (built) => built.notNull())
      .addPrimaryKeyConstraint('watched_instrument_key', ['user_id', 'instrument_id'])
      .execute()
    await sql`create index trade_order_history on trade_order (account_id, ended_at, id) where ended_at is not null`.execute(
      db,
    )
  },
})

/** Adds the source to the key, which needs a new table on both databases. Existing candles get the source of the last price. */
async function giveCandlesTheirSource(db: Kysely<unknown>): Promise<void> {
  let table: CreateTableBuilder<string, string> = db.schema.createTable('candle_of_source')
  for (const [name, type] of COLUMNS) table = table.addColumn(name, type, (built) => built.notNull())
  await table
    .addPrimaryKeyConstraint('candle_of_source_key', ['instrument_id', 'source', 'period', 'time'])
    .execute()
  await sql`
    insert into candle_of_source (instrument_id, source, period, time, open, high, low, close, volume)
    select candle.instrument_id,
      case when quote.source like 'ws:%' then 'live'
        when quote.source like 'replay:%' then 'recorded' else 'simulated' end,
      candle.period, candle.time, candle.open, candle.high, candle.low, candle.close, candle.volume
    from candle left join quote on quote.instrument_id = candle.instrument_id
  `.execute(db)
  await db.schema.dropTable('candle').execute()
  await db.schema.alterTable('candle_of_source').renameTo('candle').execute()
}

const COLUMNS = [
  ['instrument_id', 'bigint'],
  ['source', 'text'],
  ['period', 'text'],
  ['time', 'bigint'],
  ['open', 'bigint'],
  ['high', 'bigint'],
  ['low', 'bigint'],
  ['close', 'bigint'],
  ['volume', 'bigint'],
] as const
