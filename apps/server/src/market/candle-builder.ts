import {
  createBuckets,
  createTradingDays,
  foldTick,
  mergeCandles,
  midPrice,
  PERIODS,
  type Buckets,
  type Candle,
  type DayTurn,
  type Period,
  type Quote,
} from '@fairlot/core'
import type { Queries } from '../database/open.ts'
import { createSignal, type Subscribe } from '../engine/signal.ts'
import type { FeedKind } from '../feeds/feed.ts'
import type { InstrumentRegistry } from './instrument-registry.ts'
import { loadCandles, saveCandles, type CandleSeries, type StoredCandle } from './candle-store.ts'

/** Bars of one series that wait for a database that is away; past this the oldest is given up. */
const UNSAVED_MAX = 1_000

/**
 * The bars of every instrument: the moving ones here, the finished ones in the database. What is read are those of the kind of
 * source that prices the instrument now.
 */
export type CandleBuilder = {
  /** Folds an accepted quote into its six bars, by the quote's own time. */
  fold(quote: Quote): void
  /** Puts bars from before the first price into the database; one that moves already gets its beginning. */
  add(candles: readonly StoredCandle[]): Promise<void>
  current(instrumentId: number, period: Period): Candle | null
  /** The last bars that start before a moment (epoch ms; null: up to the moving one), oldest first. */
  read(of: { instrumentId: number; period: Period; before: number | null; limit: number }): Promise<Candle[]>
  /** When the first bar of a minute starts, epoch ms; null without bars. */
  since(instrumentId: number): number | null
  /** Writes what has changed since the last time. */
  flush(): Promise<void>
  /** Tells each bar as it ended, once the first price of the next one is in. */
  readonly onFinished: Subscribe<StoredCandle>
}

/** All bars of an instrument and period, as far as they are not in the database yet. */
type Series = CandleSeries & {
  current: Candle | null
  /** By start. */
  readonly unsaved: Map<number, Candle>
}

type SeriesOf = (of: CandleSeries) => Series

export type CandleBuilderOptions = {
  readonly queries: Queries
  readonly registry: InstrumentRegistry
  readonly newest: readonly StoredCandle[]
  /** Where the bars of a minute begin that are in the database. */
  readonly firstTimes: readonly (CandleSeries & { readonly time: number })[]
  /** The kind of a source by its name; null for none of ours. */
  readonly kindOf: (sourceName: string) => FeedKind | null
  /** What kind of source prices an instrument now; null for none. */
  readonly sourceOf: (instrumentId: number) => FeedKind | null
  readonly onError: (error: unknown, doing: string) => void
}

export function createCandleBuilder(options: CandleBuilderOptions): CandleBuilder {
  const { queries, registry, kindOf, sourceOf, onError } = options
  const finished = createSignal<StoredCandle>((error) => onError(error, 'telling of a bar'))
  const bucketsOf = createBucketsOf(registry)
  const { byKey, seriesOf } = createSeriesBook()
  const firstTimes = new Map(options.firstTimes.map((of) => [keyOf(of), of.time]))
  for (const stored of options.newest) seriesOf(stored).current = stored.candle

  /** Of the source that prices the instrument now. */
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
        if (buckets) goOnFrom(seriesOf(stored), stored.candle, buckets)
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
    flush: () => flush(queries, [...byKey.values()]),
    onFinished: finished.subscribe,
  }
}

/** All series there are; one is made with its first bar, for instruments come while the server runs. */
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

/** Goes on from a bar of the past; into one that moves already it is put as its beginning. */
function goOnFrom(series: Series, past: Candle, buckets: Buckets): void {
  const { current, period } = series
  if (current?.time === past.time) {
    const [merged = current] = mergeCandles([past, current], period, buckets)
    series.current = merged
    // The database has the beginning alone.
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
  // What moved on during the write stays for the next one.
  for (const { series, candle } of taken) {
    if (series.unsaved.get(candle.time) === candle) series.unsaved.delete(candle.time)
  }
}

/** The bars of an instrument turn with its trading day, whose session may change. */
function createBucketsOf(registry: InstrumentRegistry): (instrumentId: number) => Buckets | null {
  const tradingDays = createTradingDays()
  const byTurn = new Map<DayTurn, Buckets>()
  return (instrumentId) => {
    const instrument = registry.byId.get(instrumentId)?.instrument
    if (!instrument) return null
    const turn = registry.dayTurnOf(instrument)
    const known = byTurn.get(turn)
    if (known) return known
    const made = createBuckets(turn, tradingDays)
    byTurn.set(turn, made)
    return made
  }
}
