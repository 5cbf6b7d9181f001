import { price, type Price } from '../model/number.ts'
import type { DayRollover, TradingDays } from '../calendar/trading-day.ts'

export const PERIODS = ['1min', '5min', '15min', '30min', '60min', '1day'] as const
export type Period = (typeof PERIODS)[number]

/** A bar of one side's prices (or the mid's), in ticks. `time` is the start of the bar, epoch ms. */
export type Candle = {
  readonly time: number
  readonly open: Price
  readonly high: Price
  readonly low: Price
  readonly close: Price
  /** The volume of the feed, else the number of ticks. */
  readonly volume: number
}

/** Start (epoch ms) of the bar of a period that contains a moment (epoch ms). */
export type Buckets = (period: Period, at: number) => number

/** The length of a bar of minutes or hours, ms. */
export const BAR_MS = {
  '1min': 60_000,
  '5min': 300_000,
  '15min': 900_000,
  '30min': 1_800_000,
  '60min': 3_600_000,
}

/** Minutes and hours by UTC, days by the trading day. */
export const createBuckets =
  (rollover: DayRollover, tradingDays: TradingDays): Buckets =>
  (period, at) =>
    period === '1day' ? tradingDays(rollover, at).start : Math.floor(at / BAR_MS[period]) * BAR_MS[period]

/**
 * The bar after one more price at `at` (epoch ms): the same bar, or a new one when its `time` differs. A price
 * earlier than the bar (the tick guard admits none) counts to the current bar.
 */
export function foldTick(
  candle: Candle | null,
  value: Price,
  at: number,
  period: Period,
  buckets: Buckets,
  volume = 1,
): Candle {
  return foldCandle(
    candle,
    { time: at, open: value, high: value, low: value, close: value, volume },
    period,
    buckets,
  )
}

/** The bar of `period` after one more finer bar; finer bars come in the order of their time. */
export function foldCandle(candle: Candle | null, finer: Candle, period: Period, buckets: Buckets): Candle {
  const time = buckets(period, finer.time)
  if (!candle || time > candle.time) return { ...finer, time }
  return {
    time: candle.time,
    open: candle.open,
    high: price(Math.max(candle.high, finer.high)),
    low: price(Math.min(candle.low, finer.low)),
    close: finer.close,
    volume: candle.volume + finer.volume,
  }
}

/** Merges finer bars into coarser ones, ascending by time. */
export function mergeCandles(finer: Iterable<Candle>, period: Period, buckets: Buckets): Candle[] {
  const merged: Candle[] = []
  for (const candle of finer) {
    const last = merged.at(-1) ?? null
    const next = foldCandle(last, candle, period, buckets)
    if (last && next.time === last.time) merged.pop()
    merged.push(next)
  }
  return merged
}
