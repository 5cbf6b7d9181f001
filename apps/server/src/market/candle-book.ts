import {
  createBuckets,
  createTradingDays,
  dayTurnOf,
  foldTick,
  midPrice,
  PERIODS,
  type Buckets,
  type Candle,
  type Instrument,
  type Period,
  type Quote,
  type SessionCalendar,
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

type SeriesOf = (instrumentId: number, period: Period) => Series | null

export function createCandleBook(options: {
  queries: Queries
  catalogue: Catalogue
  calendar: SessionCalendar
  newest: readonly StoredCandle[]
  onError: (error: unknown, doing: string) => void
}): CandleBook {
  const { queries, catalogue, onError } = options
  const finished = createSignal<StoredCandle>((error) => onError(error, 'telling of a bar'))
  const bucketsOf = bucketsByInstrument(catalogue, options.calendar)
  const all = catalogue.instruments.flatMap(({ instrument }) => PERIODS.map(newSeries(instrument)))
  const byKey = new Map(all.map((series) => [keyOf(series.instrumentId, series.period), series]))
  const seriesOf: SeriesOf = (instrumentId, period) => byKey.get(keyOf(instrumentId, period)) ?? null
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
      const buckets = bucketsOf.get(quote.instrumentId)
      for (const period of PERIODS) {
        const series = seriesOf(quote.instrumentId, period)
        if (series && buckets) foldInto(series, buckets, quote)
      }
    },
    add: async (candles) => {
      await saveCandles(queries, candles)
      for (const stored of candles) goOnFrom(seriesOf, stored)
    },
    current: (instrumentId, period) => seriesOf(instrumentId, period)?.current ?? null,
    read: async ({ instrumentId, period, before, limit }) => {
      const end = before ?? Number.MAX_SAFE_INTEGER
      const stored = await loadCandles(queries, { instrumentId, period, before: end, limit })
      const unsaved = [...(seriesOf(instrumentId, period)?.unsaved.values() ?? [])]
      const fresh = unsaved.filter(({ time }) => time < end)
      const byTime = new Map([...stored, ...fresh].map((candle) => [candle.time, candle]))
      return [...byTime.values()].toSorted((a, b) => a.time - b.time).slice(-limit)
    },
    flush: () => flush(queries, all),
    onFinished: finished.subscribe,
  }
}

const keyOf = (instrumentId: number, period: Period): string => `${instrumentId} ${period}`

const newSeries =
  ({ id }: Instrument) =>
  (period: Period): Series => ({ instrumentId: id, period, current: null, unsaved: new Map() })

function goOnFrom(seriesOf: SeriesOf, { instrumentId, period, candle }: StoredCandle): void {
  const series = seriesOf(instrumentId, period)
  if (series && (series.current?.time ?? -Infinity) <= candle.time) series.current = candle
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

function bucketsByInstrument(catalogue: Catalogue, calendar: SessionCalendar): Map<number, Buckets> {
  const tradingDays = createTradingDays()
  return new Map(
    catalogue.instruments.map(({ instrument }) => {
      const session = calendar.get(instrument.session)
      return [instrument.id, createBuckets(session ? dayTurnOf(session) : 'utcMidnight', tradingDays)]
    }),
  )
}
