import type { InstrumentListing } from '@fairlot/contract'
import { useEffect, useMemo, useState } from 'react'
import { onCandle, useCandles } from '../../../live/candles.ts'
import { toBar, toBars } from './chart-bars.ts'
import type { ChartBar, ChartPeriod, ChartSeries } from './chart-port.ts'

type Wanted = { readonly listing: InstrumentListing; readonly period: ChartPeriod }

const keyOf = ({ listing, period }: Wanted): string => `${listing.id} ${period}`

export type SeriesState = {
  /** Undefined before the first answer for the instrument; another period's bars stay until the new ones are here. */
  readonly series: ChartSeries | undefined
  readonly isFailed: boolean
  readonly refetch: () => unknown
}

/** The bars to draw. */
export function useSeries(wanted: Wanted): SeriesState {
  const { listing, period } = wanted
  const { id, priceDecimals } = listing
  const { candles, isFailed, refetch } = useCandles(id, period)
  const key = keyOf(wanted)
  const fetched = useMemo(() => {
    if (!candles) return undefined
    const bars = toBars(candles, priceDecimals)
    return { key, period, priceDecimals, bars, hasOlder: bars.length > 0 }
  }, [candles, key, period, priceDecimals])
  const [kept, setKept] = useState({ id, series: fetched })
  if (fetched && fetched !== kept.series) setKept({ id, series: fetched })
  return { series: fetched ?? (kept.id === id ? kept.series : undefined), isFailed, refetch }
}

/** The moving bar as the socket tells it, with the key of its series; null before the first message. */
export function useLatestBar(wanted: Wanted): { readonly key: string; readonly bar: ChartBar } | null {
  const { code, priceDecimals } = wanted.listing
  const { period } = wanted
  const key = keyOf(wanted)
  const [latest, setLatest] = useState<{ key: string; bar: ChartBar } | null>(null)
  useEffect(
    () =>
      onCandle({ code, period }, (candle) => {
        const bar = toBar(candle, priceDecimals)
        if (bar) setLatest({ key, bar })
      }),
    [code, period, priceDecimals, key],
  )
  return latest?.key === key ? latest : null
}
