import { price, type Candle, type Period } from '@fairlot/core'
import type { Queries } from '../database/open.ts'
import type { CandleTable } from '../database/schema.ts'

/** A bar and where it belongs. */
export type StoredCandle = { readonly instrumentId: number; readonly period: Period; readonly candle: Candle }

/** Rows of one statement: few enough that the loop is not long away, and SQLite takes 32,766 parameters. */
const ROWS_PER_WRITE = 500

const toRow = ({ instrumentId, period, candle }: StoredCandle): CandleTable => ({
  instrument_id: BigInt(instrumentId),
  period,
  time: BigInt(candle.time),
  open: BigInt(candle.open),
  high: BigInt(candle.high),
  low: BigInt(candle.low),
  close: BigInt(candle.close),
  volume: BigInt(candle.volume),
})

const toCandle = (row: CandleTable): Candle => ({
  time: Number(row.time),
  open: price(Number(row.open)),
  high: price(Number(row.high)),
  low: price(Number(row.low)),
  close: price(Number(row.close)),
  volume: Number(row.volume),
})

/** Writes bars; one that is there already is replaced by its newer self. */
export async function saveCandles(queries: Queries, candles: readonly StoredCandle[]): Promise<void> {
  for (let from = 0; from < candles.length; from += ROWS_PER_WRITE) {
    await queries
      .insertInto('candle')
      .values(candles.slice(from, from + ROWS_PER_WRITE).map(toRow))
      .onConflict((conflict) =>
        conflict.columns(['instrument_id', 'period', 'time']).doUpdateSet((excluded) => ({
          high: excluded.ref('excluded.high'),
          low: excluded.ref('excluded.low'),
          close: excluded.ref('excluded.close'),
          volume: excluded.ref('excluded.volume'),
        })),
      )
      .execute()
  }
}

/** The newest bar of every instrument and period: the ones that go on moving. */
export async function loadNewestCandles(queries: Queries): Promise<StoredCandle[]> {
  const newest = queries
    .selectFrom('candle')
    .select(({ fn }) => ['instrument_id', 'period', fn.max('time').as('time')])
    .groupBy(['instrument_id', 'period'])
    .as('newest')
  const rows = await queries
    .selectFrom('candle')
    .innerJoin(newest, (join) =>
      join
        .onRef('candle.instrument_id', '=', 'newest.instrument_id')
        .onRef('candle.period', '=', 'newest.period')
        .onRef('candle.time', '=', 'newest.time'),
    )
    .selectAll('candle')
    .execute()
  return rows.map((row) => ({
    instrumentId: Number(row.instrument_id),
    period: row.period as Period,
    candle: toCandle(row),
  }))
}

/** The last bars that start before a moment (epoch ms), oldest first. */
export async function loadCandles(
  queries: Queries,
  of: { instrumentId: number; period: Period; before: number; limit: number },
): Promise<Candle[]> {
  const rows = await queries
    .selectFrom('candle')
    .selectAll()
    .where('instrument_id', '=', BigInt(of.instrumentId))
    .where('period', '=', of.period)
    .where('time', '<', BigInt(of.before))
    .orderBy('time', 'desc')
    .limit(of.limit)
    .execute()
  return rows.map(toCandle).toReversed()
}
