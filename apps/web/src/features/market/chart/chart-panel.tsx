import type { Decimal, InstrumentListing } from '@fairlot/contract'
import { toTicks } from '@fairlot/core/decimal'
import { lazy, type ReactNode, Suspense, useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { loadOlderCandles } from '../../../live/market/candles.ts'
import { marketNow } from '../../../live/market/market-clock.ts'
import { useQuote, useStaleSeconds } from '../../../live/market/quotes.ts'
import { toBars } from './chart-bars.ts'
import { barsSince } from './bars-since.ts'
import { useChartChoice } from './chart-choice.ts'
import type { ChartLine, ChartPeriod } from './chart-port.ts'
import { ChartEmpty, ChartFailed, ChartSkeleton } from './chart-states.tsx'
import { ChartToolbar } from './chart-toolbar.tsx'
import { useMovingBar, useSeries } from './use-series.ts'

const ChartCanvas = lazy(async () => ({ default: (await import('./chart-canvas.tsx')).ChartCanvas }))

type ChartPanelProps = {
  listing: InstrumentListing
  /** Own orders, drawn above the two lines of the quote. */
  lines: readonly ChartLine[]
  /** Stands before the periods on a wide screen. */
  leading?: ReactNode
  /** Whether the chart has the screen for itself, and the way to change it; left out where it always has its place. */
  tall?: { isTall: boolean; onChange: (isTall: boolean) => void }
}

/** Candles of one instrument as they move, with a bar of periods above. Fills the box it is given. */
export function ChartPanel({ listing, lines, leading, tall }: ChartPanelProps) {
  const { period } = useChartChoice()
  return (
    <div className="flex size-full min-h-0 flex-col">
      <ChartToolbar leading={leading} tall={tall} />
      <div className="min-h-0 flex-1">
        <Candles listing={listing} period={period} lines={lines} />
      </div>
    </div>
  )
}

type CandlesProps = { listing: InstrumentListing; period: ChartPeriod; lines: readonly ChartLine[] }

function Candles({ listing, period, lines }: CandlesProps) {
  const { id, priceDecimals, isOpen } = listing
  const { series, isFailed, refetch } = useSeries({ listing, period })
  const latest = useMovingBar({ listing, period }, series)
  const { indicators } = useChartChoice()
  const quote = useQuote(id)
  const allLines = useMemo(
    () => [...quoteLines(quote, priceDecimals), ...lines],
    [quote, priceDecimals, lines],
  )
  const isStale = useStaleSeconds(listing) !== null
  const label = useLabel(listing, period)
  if (!series) return isFailed ? <ChartFailed onRetry={refetch} /> : <ChartSkeleton />
  if (series.bars.length === 0 && !latest) return <ChartEmpty />
  return (
    <Suspense fallback={<ChartSkeleton />}>
      <div className="flex size-full flex-col">
        <SinceNote at={barsSince(series.bars, listing)} />
        <div className="min-h-0 flex-1">
          <ChartCanvas
            key={id}
            label={label}
            series={series}
            latest={latest}
            lines={allLines}
            indicators={indicators}
            isStale={isStale || !isOpen}
            loadOlder={async (before) =>
              toBars(await loadOlderCandles(id, series.period, before), priceDecimals)
            }
          />
        </div>
      </div>
    </Suspense>
  )
}

/** Where the past is missing it says so: nothing is made up before the first price. */
function SinceNote({ at }: { at: number | null }) {
  const t = useTranslations('chart')
  const { moments } = useLocale()
  if (at === null) return null
  return (
    <p className="px-4 pt-1 text-tiny text-second">{t('since', { time: moments.soon(at, marketNow()) })}</p>
  )
}

function useLabel({ id, showCode, priceDecimals }: InstrumentListing, period: ChartPeriod): string {
  const t = useTranslations('chart')
  const { figures } = useLocale()
  const mid = useQuote(id)?.mid
  const said = { code: showCode, period: t(`periodName.${period}`) }
  return mid === undefined
    ? t('titleEmpty', said)
    : t('title', { ...said, price: figures.decimal(mid, { shown: priceDecimals }) })
}

type Quoted = { readonly bid: Decimal; readonly ask: Decimal }

/** The two dotted lines of a quote: what one could sell and buy at now. */
function quoteLines(quote: Quoted | null, priceDecimals: number): readonly ChartLine[] {
  const line = (id: string, price: Decimal): ChartLine[] => {
    const ticks = toTicks(price, priceDecimals)
    return ticks === null ? [] : [{ id, price: ticks, tone: 'quiet', stroke: 'dotted', label: null }]
  }
  return quote ? [...line('bid', quote.bid), ...line('ask', quote.ask)] : []
}
