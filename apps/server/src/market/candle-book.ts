import {
  createBuckets,
  createTradingDays,
  foldTick,
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
import type { Catalogue } from './catalogue.ts'
import { loadCandles, saveCandles, type StoredCandle } from './candle-store.ts'

/** Bars of one series that wait for a database that is away; past this the oldest is given up. */
const UNSAVED_MAX = 1_000

/** The bars of every instrument: the moving ones here, the finished ones in the database. */
export type CandleBook = {
  /** Folds an accepted quote into its six bars, by the quote's own time. */
  fold(quote: Quote): void
  /** Puts bars of the past into the database and goes on from the newest of them. */
  add(candles: readonly StoredCandle[]): Promise<void>
  current(instrumentId: number, period: Period): Candle | null
  /** The last bars that start before a moment (epoch ms; null: up to the moving one), oldest first. */
  read(of: { instrumentId: number; period: Period; before: number | null; limit: number }): Promise<Candle[]>
  /** Writes what has changed since the last time. */
  flush(): Promise<void>
  /** Tells each bar as it ended, once the first price of the next one is in. */
  readonly onFinished: Subscribe<StoredCandle>
}

/** All bars of an instrument and period, as far as they are not in the database yet. */
type Series = {
  readonly instrumentId: number
  readonly period: Period
  current: Candle | null
  /** By start. */
  readonly unsaved: Map<number, Candle>
}

type SeriesOf = (instrumentId: number, period: Period) => Series

export function createCandleBook(options: {
  queries: Queries
  catalogue: Catalogue
  newest: readonly StoredCandle[]
  onError: (error: unknown, doing: string) => void
}): CandleBook {
  const { queries, catalogue, onError } = options
  const finished = createSignal<StoredCandle>((error) => onError(error, 'telling of a bar'))
  const bucketsOf = createBucketsOf(catalogue)
  const byKey = new Map<string, Series>()
  const knownSeries = (instrumentId: number, period: Period) => byKey.get(keyOf(instrumentId, period)) ?? null
  /** Made with the first bar: instruments come while the server runs. */
  const seriesOf: SeriesOf = (instrumentId, period) => {
    const known = knownSeries(instrumentId, period)
    if (known) return known
    const made: Series = { instrumentId, period, current: null, unsaved: new Map() }
    byKey.set(keyOf(instrumentId, period), made)
    return made
  }
  for (const stored of options.newest) goOnFrom(seriesOf, stored)

  const foldInto = (series: Series, buckets: Buckets, quote: Quote) => {
    const { instrumentId, period, current } = series
    series.current = foldTick(current, midPrice(quote), quote.time, period, buckets)
    keepUnsaved(series, series.current)
    if (current && current.time !== series.current.time) {
      finished.emit({ instrumentId, period, candle: current })
    }
  }

  return {
    fold: (quote) => {
      const buckets = bucketsOf(quote.instrumentId)
      if (!buckets) return
      for (const period of PERIODS) foldInto(seriesOf(quote.instrumentId, period), buckets, quote)
    },
    add: async (candles) => {
      await saveCandles(queries, candles)
      for (const stored of candles) goOnFrom(seriesOf, stored)
    },
    current: (instrumentId, period) => knownSeries(instrumentId, period)?.current ?? null,
    read: async ({ instrumentId, period, before, limit }) => {
      const end = before ?? Number.MAX_SAFE_INTEGER
      const stored = await loadCandles(queries, { instrumentId, period, before: end, limit })
      const unsaved = [...(knownSeries(instrumentId, period)?.unsaved.values() ?? [])]
      const fresh = unsaved.filter(({ time }) => time < end)
      const byTime = new Map([...stored, ...fresh].map((candle) => [candle.time, candle]))
      return [...byTime.values()].toSorted((a, b) => a.time - b.time).slice(-limit)
    },
    flush: () => flush(queries, [...byKey.values()]),
    onFinished: finished.subscribe,
  }
}

const keyOf = (instrumentId: number, period: Period): string => `${instrumentId} ${period}`

function goOnFrom(seriesOf: SeriesOf, { instrumentId, period, candle }: StoredCandle): void {
  const series = seriesOf(instrumentId, period)
  if ((series.current?.time ?? -Infinity) <= candle.time) series.current = candle
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
    taken.map(({ series: { instrumentId, period }, candle }) => ({ instrumentId, period, candle })),
  )
  // What moved on during the write stays for the next one.
  for (const { series, candle } of taken) {
    if (series.unsaved.get(candle.time) === candle) series.unsaved.delete(candle.time)
  }
}

/** The bars of an instrument turn with its trading day, whose session may change. */
function createBucketsOf(catalogue: Catalogue): (instrumentId: number) => Buckets | null {
  const tradingDays = createTradingDays()
  const byTurn = new Map<DayTurn, Buckets>()
  return (instrumentId) => {
    const instrument = catalogue.byId.get(instrumentId)?.instrument
    if (!instrument) return null
    const turn = catalogue.dayTurnOf(instrument)
    const known = byTurn.get(turn)
    if (known) return known
    const made = createBuckets(turn, tradingDays)
    byTurn.set(turn, made)
    return made
  }
}
