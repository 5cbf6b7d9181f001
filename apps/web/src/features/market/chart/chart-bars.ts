import type { Candle, Decimal } from '@fairlot/contract'
import { toTicks } from '@fairlot/core/decimal'
import type { ChartBar, ChartPeriod } from './chart-port.ts'
import { PERIOD_MINUTES } from './chart-time.ts'

/** A candle of the contract in ticks; null when its prices have more digits than the instrument's. */
export function toBar(
  candle: Omit<Candle, 'code' | 'instrumentId' | 'period'>,
  priceDecimals: number,
): ChartBar | null {
  const ticks = (price: Decimal) => toTicks(price, priceDecimals)
  const [open, high, low, close] = [
    ticks(candle.open),
    ticks(candle.high),
    ticks(candle.low),
    ticks(candle.close),
  ]
  if (open === null || high === null || low === null || close === null) return null
  return { time: candle.time, open, high, low, close, volume: Number(candle.volume) }
}

/** The bars of an answer, without what cannot be drawn. */
export const toBars = (candles: readonly Candle[], priceDecimals: number): ChartBar[] =>
  candles.flatMap((candle) => toBar(candle, priceDecimals) ?? [])

/**
 * What an answer that came again adds to a drawing that ends with `last`: that bar and those after it. Null when the
 * answer does not reach back to it, so that the chart has to start anew.
 */
export function tailOf(last: ChartBar | null, fetched: readonly ChartBar[]): readonly ChartBar[] | null {
  const first = fetched[0]
  if (!last || !first || first.time > last.time) return null
  return fetched.filter((bar) => bar.time >= last.time)
}

/**
 * The moving bar with a newer mid in it, so that the chart never lags behind the price beside it. A mid of another
 * bar's time changes nothing: the next bar begins when the server says so.
 */
export function withMid(
  bar: ChartBar,
  period: ChartPeriod,
  mid: { readonly ticks: number; readonly time: number },
): ChartBar {
  const isWithin = mid.time >= bar.time && mid.time < bar.time + PERIOD_MINUTES[period] * 60_000
  if (!isWithin || mid.ticks === bar.close) return bar
  return {
    ...bar,
    close: mid.ticks,
    high: Math.max(bar.high, mid.ticks),
    low: Math.min(bar.low, mid.ticks),
  }
}
