import type { InstrumentListing } from '@fairlot/contract'
import { toTicks } from '@fairlot/core/decimal'
import { useEffect, useMemo, useState } from 'react'
import { onCandle, useCandles } from '../../../live/market/candles.ts'
import { useQuote } from '../../../live/market/quotes.ts'
import { toBar, toBars, withMid } from './chart-bars.ts'
import type { ChartBar, ChartPeriod, ChartSeries } from './chart-port.ts'

type Wanted = { readonly listing: InstrumentListing; readonly period: ChartPeriod }

const keyOf = ({ listing, period }: Wanted): string => `${listing.id} ${listing.source} ${period}`

export type SeriesState = {
  /** Undefined before the first answer for the instrument; another period's bars stay while the new ones are on their way. */
  readonly series: ChartSeries | undefined
  readonly isFailed: boolean
  readonly refetch: () => unknown
}

/** The bars to draw. */
export function useSeries(wanted: Wanted): SeriesState {
  const { listing, period } = wanted
  const { id, priceDecimals, source } = listing
  const { candles, isFailed, refetch } = useCandles(id, period, source)
  const key = keyOf(wanted)
  const fetched = useMemo(() => {
    if (!candles) return undefined
    const bars = toBars(candles, priceDecimals)
    return { key, period, priceDecimals, bars, hasOlder: bars.length > 0 }
  }, [candles, key, period, priceDecimals])
  const [kept, setKept] = useState({ id, series: fetched })
  if (fetched && fetched !== kept.series) setKept({ id, series: fetched })
  return { series: fetched ?? (kept.id === id && !isFailed ? kept.series : undefined), isFailed, refetch }
}

/** The moving bar with the newest mid in it; null while nothing has moved since the answer. */
export function useMovingBar(wanted: Wanted, series: ChartSeries | undefined): ChartBar | null {
  const { id, priceDecimals } = wanted.listing
  const told = useToldBar(wanted)
  const quote = useQuote(id)
  if (!series || series.key !== keyOf(wanted)) return null
  const last = series.bars.at(-1)
  const bar = told && (!last || told.time >= last.time) ? told : last
  if (!bar || !quote) return bar ?? null
  const ticks = toTicks(quote.mid, priceDecimals)
  return ticks === null ? bar : withMid(bar, series.period, { ticks, time: quote.time })
}

/** The current candle as the socket sends it; null before the first message. */
function useToldBar(wanted: Wanted): ChartBar | null {
  const { code, priceDecimals } = wanted.listing
  const { period } = wanted
  const key = keyOf(wanted)
  const [told, setTold] = useState<{ key: string; bar: ChartBar } | null>(null)
  useEffect(
    () =>
      onCandle({ code, period }, (candle) => {
        const bar = toBar(candle, priceDecimals)
        if (bar) setTold({ key, bar })
      }),
    [code, period, priceDecimals, key],
  )
  return told?.key === key ? told.bar : null
}
