import { price, type Candle, type Period } from '@fairlot/core'
import type { Queries } from '../database/open.ts'
import type { CandleTable } from '../database/market-schema.ts'
import type { FeedKind } from '../feeds/feed.ts'

/** Bars of an instrument and period. Each is made of the prices of one kind of source: they are never mixed. */
export type CandleSeries = {
  readonly instrumentId: number
  readonly source: FeedKind
  readonly period: Period
}

/** A bar and where it belongs. */
export type StoredCandle = CandleSeries & { readonly candle: Candle }

/** Rows of one statement: few enough that the loop is not long away, and SQLite takes 32,766 parameters. */
const ROWS_PER_WRITE = 500

const toRow = ({ instrumentId, source, period, candle }: StoredCandle): CandleTable => ({
  instrument_id: BigInt(instrumentId),
  source,
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
        conflict.columns(['instrument_id', 'source', 'period', 'time']).doUpdateSet((excluded) => ({
          open: excluded.ref('excluded.open'),
          high: excluded.ref('excluded.high'),
          low: excluded.ref('excluded.low'),
          close: excluded.ref('excluded.close'),
          volume: excluded.ref('excluded.volume'),
        })),
      )
      .execute()
  }
}

/** The newest bar of every series: the ones that go on moving. */
export async function loadNewestCandles(queries: Queries): Promise<StoredCandle[]> {
  const newest = queries
    .selectFrom('candle')
    .select(({ fn }) => ['instrument_id', 'source', 'period', fn.max('time').as('time')])
    .groupBy(['instrument_id', 'source', 'period'])
    .as('newest')
  const rows = await queries
    .selectFrom('candle')
    .innerJoin(newest, (join) =>
      join
        .onRef('candle.instrument_id', '=', 'newest.instrument_id')
        .onRef('candle.source', '=', 'newest.source')
        .onRef('candle.period', '=', 'newest.period')
        .onRef('candle.time', '=', 'newest.time'),
    )
    .selectAll('candle')
    .execute()
  return rows.map((row) => ({
    instrumentId: Number(row.instrument_id),
    source: row.source as FeedKind,
    period: row.period as Period,
    candle: toCandle(row),
  }))
}

/** The last bars that start before a moment (epoch ms), oldest first. */
export async function loadCandles(
  queries: Queries,
  of: CandleSeries & { before: number; limit: number },
): Promise<Candle[]> {
  const rows = await queries
    .selectFrom('candle')
    .selectAll()
    .where('instrument_id', '=', BigInt(of.instrumentId))
    .where('source', '=', of.source)
    .where('period', '=', of.period)
    .where('time', '<', BigInt(of.before))
    .orderBy('time', 'desc')
    .limit(of.limit)
    .execute()
  return rows.map(toCandle).toReversed()
}

/** Where the bars of a minute begin, for each instrument and source that has some. */
export async function loadFirstTimes(
  queries: Queries,
  newest: readonly CandleSeries[],
): Promise<(CandleSeries & { readonly time: number })[]> {
  const found: (CandleSeries & { time: number })[] = []
  // One after the other, each by the key alone: together they would read every bar there is.
  for (const { instrumentId, source, period } of newest) {
    if (period !== '1min') continue
    const { time } = await queries
      .selectFrom('candle')
      .select('time')
      .where('instrument_id', '=', BigInt(instrumentId))
      .where('source', '=', source)
      .where('period', '=', period)
      .orderBy('time')
      .limit(1)
      .executeTakeFirstOrThrow()
    found.push({ instrumentId, source, period, time: Number(time) })
  }
  return found
}
