import type { Candle, Decimal, InstrumentListing } from '@fairlot/contract'
import { toTicks } from '@fairlot/core/decimal'
import { useEffect, useMemo, useState } from 'react'
import { onCandle, useCandles } from '../../../live/market/candles.ts'
import { useQuote } from '../../../live/market/quotes.ts'
import { type ChartBar, type ChartPeriod, type ChartSeries, PERIOD_MINUTES } from './chart-port.ts'

type ChartRequest = { readonly listing: InstrumentListing; readonly period: ChartPeriod }

const keyOf = ({ listing, period }: ChartRequest): string => `${listing.id} ${listing.source} ${period}`

export type SeriesState = {
  /** Undefined before the first response for the instrument; after a change of period the old bars stay until the new ones arrive. */
  readonly series: ChartSeries | undefined
  readonly isFailed: boolean
  readonly refetch: () => unknown
}

/** The bars to draw, with the state of their request. */
export function useSeries(request: ChartRequest): SeriesState {
  const { listing, period } = request
  const { id, priceDecimals, source } = listing
  const { candles, isFailed, refetch } = useCandles(id, period, source)
  const key = keyOf(request)
  const fetched = useMemo(() => {
    if (!candles) return undefined
    const bars = toBars(candles, priceDecimals)
    return { key, period, priceDecimals, bars, hasOlder: bars.length > 0 }
  }, [candles, key, period, priceDecimals])
  const [kept, setKept] = useState({ id, series: fetched })
  if (fetched && fetched !== kept.series) setKept({ id, series: fetched })
  return { series: fetched ?? (kept.id === id && !isFailed ? kept.series : undefined), isFailed, refetch }
}

/** The last bar updated by the newest mid price; null before the first bars. */
export function useMovingBar(request: ChartRequest, series: ChartSeries | undefined): ChartBar | null {
  const { id, priceDecimals } = request.listing
  const received = useReceivedBar(request)
  const quote = useQuote(id)
  if (!series || series.key !== keyOf(request)) return null
  const last = series.bars.at(-1)
  const bar = received && (!last || received.time >= last.time) ? received : last
  if (!bar || !quote) return bar ?? null
  const ticks = toTicks(quote.mid, priceDecimals)
  return ticks === null ? bar : withMid(bar, series.period, { ticks, time: quote.time })
}

/** The current bar as last pushed; null before the first message. */
function useReceivedBar(request: ChartRequest): ChartBar | null {
  const { code, priceDecimals } = request.listing
  const { period } = request
  const key = keyOf(request)
  const [received, setReceived] = useState<{ key: string; bar: ChartBar } | null>(null)
  useEffect(
    () =>
      onCandle({ code, period }, (candle) => {
        const bar = toBar(candle, priceDecimals)
        if (bar) setReceived({ key, bar })
      }),
    [code, period, priceDecimals, key],
  )
  return received?.key === key ? received.bar : null
}

/** A candle in ticks; null when its prices have more decimals than the instrument. */
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

/** The bars of a response, without those that cannot be converted. */
export const toBars = (candles: readonly Candle[], priceDecimals: number): ChartBar[] =>
  candles.flatMap((candle) => toBar(candle, priceDecimals) ?? [])

/**
 * The bars of a new response that continue a chart which ends with `last`: that bar and those after it. Null when it does not
 * reach back to it, so that the chart must be drawn again.
 */
export function tailOf(last: ChartBar | null, fetched: readonly ChartBar[]): readonly ChartBar[] | null {
  const first = fetched[0]
  if (!last || !first || first.time > last.time) return null
  return fetched.filter((bar) => bar.time >= last.time)
}

/**
 * The last bar updated by a newer mid price, so that the chart does not lag behind the price beside it. A mid outside of the bar's time
 * changes nothing: the server starts the next bar.
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

/** Number of bars that fill a phone's screen. */
const FEW_BARS = 60

/** Time (epoch ms) at which prices begin, when the chart shows only a few bars since then; null otherwise. */
export function barsSince(
  bars: readonly ChartBar[],
  { barsSince: since }: Pick<InstrumentListing, 'barsSince'>,
): number | null {
  const [first, second] = bars
  if (since === null || !first || bars.length >= FEW_BARS) return null
  const isShown = first.time <= since && (second === undefined || since < second.time)
  return isShown ? since : null
}
