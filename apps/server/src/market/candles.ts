import {
  BAR_MS,
  createBuckets,
  createTradingDays,
  foldTick,
  mergeCandles,
  midPrice,
  PERIODS,
  price,
  type Buckets,
  type Candle,
  type DayRollover,
  type Instrument,
  type Period,
  type Quote,
} from '@fairlot/core'
import type { CandleTable } from '../platform/database/market-schema.ts'
import type { Queries } from '../platform/database/open.ts'
import { createMutex } from '../platform/concurrency.ts'
import { createEmitter, type Subscribe } from '../platform/emitter.ts'
import type { Feed, FeedInstrument, FeedKind, InstrumentHistory, RawTick } from './feeds/feed.ts'
import type { OpenFeeds } from './feeds/open-feeds.ts'
import type { InstrumentRegistry, OpeningHours } from './instrument-registry.ts'

/** Bars of an instrument and period, from the prices of one kind of source: kinds are never mixed. */
type CandleSeries = {
  readonly instrumentId: number
  readonly source: FeedKind
  readonly period: Period
}

/** A bar with its series. */
export type StoredCandle = CandleSeries & { readonly candle: Candle }

/** Rows per statement: few enough not to block the event loop for long, and for SQLite's limit of 32,766 parameters. */
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

/** Writes bars; existing ones are replaced. */
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

/** The newest, still current bar of every series. */
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
async function loadCandles(
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

/** The time of the first one-minute bar of each instrument and source that has any. */
export async function loadFirstTimes(
  queries: Queries,
  newest: readonly CandleSeries[],
): Promise<(CandleSeries & { readonly time: number })[]> {
  const found: (CandleSeries & { time: number })[] = []
  // One query each, by the key alone: a grouped query would read all bars.
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

/** Unsaved bars kept per series while the database is unreachable; beyond this the oldest is dropped. */
const UNSAVED_MAX = 1_000

/**
 * The bars of every instrument: current ones in memory, finished ones in the database. Reads return the bars of the kind of
 * source that currently prices the instrument.
 */
export type CandleBuilder = {
  /** Folds an accepted quote into its six bars, by the quote's own time. */
  fold(quote: Quote): void
  /** Adds bars from before the first price. A bar that is already open is completed with its beginning. */
  add(candles: readonly StoredCandle[]): Promise<void>
  current(instrumentId: number, period: Period): Candle | null
  /** The last bars that start before a moment (epoch ms; null: up to the current one), oldest first. */
  read(of: { instrumentId: number; period: Period; before: number | null; limit: number }): Promise<Candle[]>
  /** The start of the first one-minute bar, epoch ms; null without bars. */
  since(instrumentId: number): number | null
  /** Writes the bars that have changed since the last call. */
  flush(): Promise<void>
  /** Emits each finished bar once the first price of the next one has arrived. */
  readonly onFinished: Subscribe<StoredCandle>
}

/** The bars of a series that are not in the database yet. */
type Series = CandleSeries & {
  current: Candle | null
  /** By start time. */
  readonly unsaved: Map<number, Candle>
}

type SeriesOf = (of: CandleSeries) => Series

type CandleBuilderOptions = {
  readonly queries: Queries
  readonly registry: InstrumentRegistry
  readonly newest: readonly StoredCandle[]
  /** The first one-minute bars in the database. */
  readonly firstTimes: readonly (CandleSeries & { readonly time: number })[]
  /** The kind of a source by its name; null for an unknown source. */
  readonly kindOf: (sourceName: string) => FeedKind | null
  /** The kind of source that currently prices an instrument; null for none. */
  readonly sourceOf: (instrumentId: number) => FeedKind | null
  readonly onError: (error: unknown, doing: string) => void
}

export function createCandleBuilder(options: CandleBuilderOptions): CandleBuilder {
  const { queries, registry, kindOf, sourceOf, onError } = options
  const finished = createEmitter<StoredCandle>((error) => onError(error, 'publishing a bar'))
  const bucketsOf = createBucketsOf(registry)
  const withLock = createMutex()
  const { byKey, seriesOf } = createSeriesBook()
  const firstTimes = new Map(options.firstTimes.map((of) => [keyOf(of), of.time]))
  for (const stored of options.newest) seriesOf(stored).current = stored.candle

  /** The series of the source that currently prices the instrument. */
  const shownSeries = (instrumentId: number, period: Period): CandleSeries | null => {
    const source = sourceOf(instrumentId)
    return source && { instrumentId, source, period }
  }
  const noteFirst = (of: CandleSeries, time: number) => {
    if (time < (firstTimes.get(keyOf(of)) ?? Infinity)) firstTimes.set(keyOf(of), time)
  }

  const foldInto = (series: Series, buckets: Buckets, quote: Quote) => {
    const { current, period } = series
    series.current = foldTick(current, midPrice(quote), quote.time, period, buckets)
    keepUnsaved(series, series.current)
    if (current?.time === series.current.time) return
    noteFirst(series, series.current.time)
    if (current) finished.emit({ ...placeOf(series), candle: current })
  }

  return {
    fold: (quote) => {
      const { instrumentId } = quote
      const [buckets, source] = [bucketsOf(instrumentId), kindOf(quote.source)]
      if (!buckets || !source) return
      for (const period of PERIODS) foldInto(seriesOf({ instrumentId, source, period }), buckets, quote)
    },
    add: async (candles) => {
      await saveCandles(queries, candles)
      for (const stored of candles) {
        const buckets = bucketsOf(stored.instrumentId)
        if (buckets) continueFrom(seriesOf(stored), stored.candle, buckets)
        noteFirst(stored, stored.candle.time)
      }
    },
    current: (instrumentId, period) => {
      const of = shownSeries(instrumentId, period)
      return of && (byKey.get(keyOf(of))?.current ?? null)
    },
    since: (instrumentId) => {
      const of = shownSeries(instrumentId, '1min')
      return of && (firstTimes.get(keyOf(of)) ?? null)
    },
    read: async ({ instrumentId, period, before, limit }) => {
      const of = shownSeries(instrumentId, period)
      if (!of) return []
      const end = before ?? Number.MAX_SAFE_INTEGER
      const stored = await loadCandles(queries, { ...of, before: end, limit })
      const unsaved = [...(byKey.get(keyOf(of))?.unsaved.values() ?? [])]
      const fresh = unsaved.filter(({ time }) => time < end)
      const byTime = new Map([...stored, ...fresh].map((candle) => [candle.time, candle]))
      return [...byTime.values()].toSorted((a, b) => a.time - b.time).slice(-limit)
    },
    // One at a time, so that no older state of a bar is written over a newer one.
    flush: () => withLock(() => flush(queries, [...byKey.values()])),
    onFinished: finished.subscribe,
  }
}

/** All series. One is created with its first bar, since instruments are added while the server runs. */
function createSeriesBook(): { readonly byKey: ReadonlyMap<string, Series>; readonly seriesOf: SeriesOf } {
  const byKey = new Map<string, Series>()
  const seriesOf: SeriesOf = (of) => {
    const known = byKey.get(keyOf(of))
    if (known) return known
    const made: Series = { ...placeOf(of), current: null, unsaved: new Map() }
    byKey.set(keyOf(of), made)
    return made
  }
  return { byKey, seriesOf }
}

const keyOf = ({ instrumentId, source, period }: CandleSeries): string =>
  `${instrumentId} ${source} ${period}`

const placeOf = ({ instrumentId, source, period }: CandleSeries): CandleSeries => ({
  instrumentId,
  source,
  period,
})

/** Continues from a past bar. If the same bar is already open, the past one is merged in as its beginning. */
function continueFrom(series: Series, past: Candle, buckets: Buckets): void {
  const { current, period } = series
  if (current?.time === past.time) {
    const [merged = current] = mergeCandles([past, current], period, buckets)
    series.current = merged
    // The database holds only the beginning.
    keepUnsaved(series, merged)
  } else if (!current || current.time < past.time) series.current = past
}

function keepUnsaved({ unsaved }: Series, candle: Candle): void {
  unsaved.set(candle.time, candle)
  const oldest = unsaved.keys().next()
  if (unsaved.size > UNSAVED_MAX && !oldest.done) unsaved.delete(oldest.value)
}

async function flush(queries: Queries, all: readonly Series[]): Promise<void> {
  const taken = all.flatMap((series) => [...series.unsaved.values()].map((candle) => ({ series, candle })))
  await saveCandles(
    queries,
    taken.map(({ series, candle }) => ({ ...placeOf(series), candle })),
  )
  // Bars that moved during the write stay unsaved.
  for (const { series, candle } of taken) {
    if (series.unsaved.get(candle.time) === candle) series.unsaved.delete(candle.time)
  }
}

/** Day bars follow the trading day of an instrument, which may change with its session. */
function createBucketsOf(registry: InstrumentRegistry): (instrumentId: number) => Buckets | null {
  const tradingDays = createTradingDays()
  const byRollover = new Map<DayRollover, Buckets>()
  return (instrumentId) => {
    const instrument = registry.byId.get(instrumentId)?.instrument
    if (!instrument) return null
    const rollover = registry.dayRolloverOf(instrument)
    const known = byRollover.get(rollover)
    if (known) return known
    const made = createBuckets(rollover, tradingDays)
    byRollover.set(rollover, made)
    return made
  }
}

type BackfillOptions = {
  readonly feeds: OpenFeeds
  readonly registry: InstrumentRegistry
  readonly feedInstruments: readonly FeedInstrument[]
  readonly hours: OpeningHours
  readonly candles: Pick<CandleBuilder, 'add'>
  /** The newest stored bars. */
  readonly newest: readonly StoredCandle[]
  readonly onError: (error: unknown, doing: string) => void
}

/**
 * Bars from before the first price, only from the source that prices the instrument: a simulated market generates its history,
 * a recording has the part before its start, a live source has none. Bars without an open moment are left out.
 */
type Backfill = {
  /** Before the feeds start: adds the history of all instruments whose source is known. */
  start(): Promise<void>
  /** Called with every tick: adds the history of a source that takes an instrument over later. */
  watch(tick: Pick<RawTick, 'code' | 'source'>): void
  stop(): Promise<void>
}

export function createBackfill(options: BackfillOptions): Backfill {
  const { feeds, registry, feedInstruments, hours, candles, onError } = options
  const tradingDays = createTradingDays()
  const known = new Set(options.newest.map(({ instrumentId, source }) => `${instrumentId} ${source}`))
  const lastSource = new Map<string, string>()
  let until = 0
  let isStopped = false
  let running = Promise.resolve()

  const idOf = (code: string) => registry.byCode.get(code)?.instrument.id

  /** True for a bar with a moment at which the market was open: the others have no ticks that count. */
  const isTraded = (instrument: Instrument, { period, candle: { time } }: StoredCandle): boolean => {
    const day = () => tradingDays(registry.dayRolloverOf(instrument), time)
    const end = period === '1day' ? day().end : time + BAR_MS[period]
    const { isOpen, changesAt } = hours.status(instrument, time)
    return isOpen || (changesAt !== null && changesAt < end)
  }
  const isMissing = ({ kind }: Feed, code: string) => {
    const id = idOf(code)
    return id !== undefined && !known.has(`${id} ${kind}`)
  }

  const add = async (feed: Feed): Promise<void> => {
    const wanted = feedInstruments.filter(({ code }) => feeds.feedOf(code) === feed && isMissing(feed, code))
    if (!feed.history || wanted.length === 0) return
    for (const { code } of wanted) known.add(`${idOf(code)} ${feed.kind}`)
    for await (const history of feed.history(wanted, until)) {
      if (isStopped) return
      const instrument = registry.byCode.get(history.code)?.instrument
      if (!instrument) continue
      await candles.add(barsOf(history, instrument.id, feed).filter((bar) => isTraded(instrument, bar)))
    }
  }

  return {
    start: async () => {
      until = feeds.clock.now()
      for (const feed of feeds.feeds) await add(feed)
    },
    watch: ({ code, source }) => {
      if (lastSource.get(code) === source) return
      lastSource.set(code, source)
      const feed = feeds.feeds.find(({ name }) => name === source)
      if (!feed?.history || !isMissing(feed, code)) return
      running = running
        .then(() => add(feed))
        .catch((error: unknown) => onError(error, 'adding the history of prices'))
    },
    stop: async () => {
      isStopped = true
      await running
    },
  }
}

const barsOf = ({ bars }: InstrumentHistory, instrumentId: number, { kind }: Feed): StoredCandle[] =>
  Object.entries(bars).flatMap(([period, list]) =>
    list.map((candle) => ({ instrumentId, source: kind, period: period as Period, candle })),
  )
