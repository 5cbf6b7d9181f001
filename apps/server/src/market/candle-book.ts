import {
  createBuckets,
  createTradingDays,
  dayTurnOf,
  foldTick,
  midPrice,
  PERIODS,
  type Buckets,
  type Candle,
  type Period,
  type Quote,
  type SessionCalendar,
} from '@fairlot/core'
import type { Queries } from '../database/open.ts'
import type { Catalogue } from './catalogue.ts'
import { loadCandles, saveCandles, type StoredCandle } from './candle-store.ts'

/** The bars of every instrument: the moving ones here, the finished ones in the database. */
export type CandleBook = {
  /** Folds an accepted quote into its six bars, by the time its source gave it. */
  fold(quote: Quote): void
  /** Puts bars of the past into the database and goes on from the newest of them. */
  add(candles: readonly StoredCandle[]): Promise<void>
  current(instrumentId: number, period: Period): Candle | null
  /** The last bars that start before a moment (epoch ms; null: up to the moving one), oldest first. */
  read(of: { instrumentId: number; period: Period; before: number | null; limit: number }): Promise<Candle[]>
  /** Writes what has changed since the last time. */
  flush(): Promise<void>
}

const keyOf = (instrumentId: number, period: Period): string => `${instrumentId} ${period}`

export function createCandleBook(options: {
  queries: Queries
  catalogue: Catalogue
  calendar: SessionCalendar
  newest: readonly StoredCandle[]
}): CandleBook {
  const { queries } = options
  const current = new Map<string, Candle>()
  const changed = new Map<string, StoredCandle>()
  const bucketsOf = bucketsByInstrument(options.catalogue, options.calendar)
  const take = ({ instrumentId, period, candle }: StoredCandle) => {
    const key = keyOf(instrumentId, period)
    if ((current.get(key)?.time ?? -Infinity) <= candle.time) current.set(key, candle)
  }
  options.newest.forEach(take)

  return {
    fold: (quote) => {
      const buckets = bucketsOf.get(quote.instrumentId)
      if (!buckets) return
      for (const period of PERIODS) {
        const key = keyOf(quote.instrumentId, period)
        const candle = foldTick(current.get(key) ?? null, midPrice(quote), quote.time, period, buckets)
        current.set(key, candle)
        changed.set(`${key} ${candle.time}`, { instrumentId: quote.instrumentId, period, candle })
      }
    },
    add: async (candles) => {
      await saveCandles(queries, candles)
      candles.forEach(take)
    },
    current: (instrumentId, period) => current.get(keyOf(instrumentId, period)) ?? null,
    read: async ({ instrumentId, period, before, limit }) => {
      const stored = await loadCandles(queries, {
        instrumentId,
        period,
        before: before ?? Number.MAX_SAFE_INTEGER,
        limit,
      })
      const fresh = [...changed.values()].filter(
        (moving) =>
          moving.instrumentId === instrumentId &&
          moving.period === period &&
          (before === null || moving.candle.time < before),
      )
      const byTime = new Map([...stored, ...fresh.map(({ candle }) => candle)].map((bar) => [bar.time, bar]))
      return [...byTime.values()].toSorted((a, b) => a.time - b.time).slice(-limit)
    },
    flush: async () => {
      const taken = [...changed]
      await saveCandles(
        queries,
        taken.map(([, candle]) => candle),
      )
      // What moved on during the write stays for the next one.
      for (const [key, candle] of taken) if (changed.get(key) === candle) changed.delete(key)
    },
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
