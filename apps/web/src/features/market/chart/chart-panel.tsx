import type { InstrumentListing } from '@fairlot/contract'
import { lazy, Suspense, useMemo, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useSpeech } from '../../../i18n/provider.tsx'
import { loadOlderCandles } from '../../../live/candles.ts'
import { useQuote, useStaleSeconds } from '../../../live/quotes.ts'
import { toBars } from './chart-bars.ts'
import { useChartChoice } from './chart-choice.ts'
import type { ChartLine, ChartPeriod } from './chart-port.ts'
import { ChartEmpty, ChartFailed, ChartSkeleton } from './chart-states.tsx'
import { ChartToolbar } from './chart-toolbar.tsx'
import { quoteLines } from './quote-lines.ts'
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
      <ChartCanvas
        key={id}
        label={label}
        series={series}
        latest={latest}
        lines={allLines}
        indicators={indicators}
        isStale={isStale || !isOpen}
        loadOlder={async (before) => toBars(await loadOlderCandles(id, series.period, before), priceDecimals)}
      />
    </Suspense>
  )
}

function useLabel({ id, showCode, priceDecimals }: InstrumentListing, period: ChartPeriod): string {
  const t = useTranslations('chart')
  const { figures } = useSpeech()
  const mid = useQuote(id)?.mid
  const said = { code: showCode, period: t(`periodName.${period}`) }
  return mid === undefined
    ? t('titleEmpty', said)
    : t('title', { ...said, price: figures.decimal(mid, { shown: priceDecimals }) })
}
