import { toTicks, type Candle, type Decimal } from '@fairlot/contract'
import type { ChartBar } from './chart-port.ts'

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
