import type { Decimal, InstrumentListing } from '@fairlot/contract'
import { toTicks } from '@fairlot/core/decimal'
import { lazy, memo, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { loadOlderCandles } from '../../../live/market/candles.ts'
import { marketNow } from '../../../live/market/market-clock.ts'
import { useQuote, useStaleSeconds } from '../../../live/market/quotes.ts'
import { barsSince, toBars, useMovingBar, useSeries } from './bars.ts'
import { chooseChart, ChartSettingsSheet, useChartChoice } from './chart-choice.tsx'
import type { LineMove } from './chart-handles.tsx'
import type { ChartLine, ChartPeriod } from './chart-port.ts'
import { BellPlus, CandlestickChart, ChartSpline, CloudOff, Maximize2, Minimize2 } from 'lucide-react'
import { IconButton } from '@fairlot/ui/controls/icon-button.tsx'
import { Segmented } from '@fairlot/ui/controls/segmented.tsx'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'

const ChartCanvas = lazy(async () => ({ default: (await import('./chart-canvas.tsx')).ChartCanvas }))

type ChartPanelProps = {
  listing: InstrumentListing
  /** The user's orders, drawn above the lines of bid and ask. */
  lines: readonly ChartLine[]
  /** Shown before the periods on a wide screen. */
  leading?: ReactNode
  /** Whether the chart is enlarged, and how to change it; left out where its size is fixed. */
  tall?: { isTall: boolean; onChange: (isTall: boolean) => void }
  /** Leaves out the toolbar where there is no space for it. */
  isBare?: boolean
  /** What a user can do from the chart; left out for visitors. */
  actions?: ChartActions | undefined
}

type ChartActions = {
  /** The button that sets an alert was pressed. */
  onAlert: () => void
  /** A price was tapped on the price axis; in ticks. */
  onPriceTapped: (ticks: number) => void
  /** A line was moved by hand. */
  onLineMoved: (move: LineMove) => void
  /** A move that is not decided yet. */
  proposed: LineMove | null
}

/** Live candles of one instrument below a toolbar. Fills its container. */
export function ChartPanel({ listing, lines, leading, tall, isBare = false, actions }: ChartPanelProps) {
  const { period } = useChartChoice()
  return (
    <div className="flex size-full min-h-0 flex-col">
      {!isBare && <ChartToolbar leading={leading} tall={tall} onAlert={actions?.onAlert} />}
      <div className="min-h-0 flex-1">
        <Candles listing={listing} period={period} lines={lines} actions={actions} />
      </div>
    </div>
  )
}

type CandlesProps = Pick<ChartPanelProps, 'listing' | 'lines' | 'actions'> & { period: ChartPeriod }

function Candles({ listing, period, lines, actions }: CandlesProps) {
  const { id, priceDecimals, isOpen } = listing
  const { series, isFailed, refetch } = useSeries({ listing, period })
  const latest = useMovingBar({ listing, period }, series)
  const { indicators, look } = useChartChoice()
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
            look={look}
            isStale={isStale || !isOpen}
            loadOlder={async (before) =>
              toBars(await loadOlderCandles(id, series.period, before), priceDecimals)
            }
            onPriceTapped={(ticks) => actions?.onPriceTapped(ticks)}
            proposed={actions?.proposed ?? null}
            onLineMoved={(move) => actions?.onLineMoved(move)}
          />
        </div>
      </div>
    </Suspense>
  )
}

/** Shows when prices begin, where the source has no earlier ones. */
function SinceNote({ at }: { at: number | null }) {
  const t = useTranslations('chart')
  const { moments } = useLocale()
  if (at === null) return null
  return (
    <p className="px-4 pt-1 text-tiny text-second">
      {withNames(t('since', { time: asName(moments.soon(at, marketNow())) }))}
    </p>
  )
}

function useLabel({ id, showCode, priceDecimals }: InstrumentListing, period: ChartPeriod): string {
  const t = useTranslations('chart')
  const { figures } = useLocale()
  const mid = useQuote(id)?.mid
  const values = { code: showCode, period: t(`periodName.${period}`) }
  return mid === undefined
    ? t('titleEmpty', values)
    : t('title', { ...values, price: figures.decimal(mid, { shown: priceDecimals }) })
}

type Quoted = { readonly bid: Decimal; readonly ask: Decimal }

/** The two dotted lines of bid and ask. */
function quoteLines(quote: Quoted | null, priceDecimals: number): readonly ChartLine[] {
  const line = (id: string, price: Decimal): ChartLine[] => {
    const ticks = toTicks(price, priceDecimals)
    return ticks === null ? [] : [{ id, price: ticks, tone: 'quiet', stroke: 'dotted', label: null }]
  }
  return quote ? [...line('bid', quote.bid), ...line('ask', quote.ask)] : []
}

const choosePeriod = (period: ChartPeriod) => chooseChart({ period })

type ChartToolbarProps = {
  onAlert: ChartActions['onAlert'] | undefined
  leading: ReactNode
  tall: { isTall: boolean; onChange: (isTall: boolean) => void } | undefined
}

/** Periods, indicators, and the button that enlarges the chart. */
function ChartToolbar({ leading, tall, onAlert }: ChartToolbarProps) {
  const t = useTranslations('chart')
  const choice = useChartChoice()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4">
      {leading}
      <div className="flex min-w-0 grow items-center justify-between desktop:grow-0">
        <div className="min-w-0 flex-1 desktop:w-80 desktop:flex-none">
          <PeriodBar period={choice.period} onChange={choosePeriod} />
        </div>
        {onAlert && <IconButton icon={BellPlus} label={t('setAlert')} onClick={onAlert} />}
        <IconButton icon={ChartSpline} label={t('settings')} onClick={() => setIsOpen(true)} />
        {tall && (
          <IconButton
            icon={tall.isTall ? Minimize2 : Maximize2}
            label={t(tall.isTall ? 'smaller' : 'taller')}
            aria-pressed={tall.isTall}
            onClick={() => tall.onChange(!tall.isTall)}
          />
        )}
      </div>
      <ChartSettingsSheet
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        choice={choice}
        onChange={chooseChart}
      />
    </div>
  )
}

const PERIOD_ORDER: readonly ChartPeriod[] = ['1min', '5min', '15min', '30min', '60min', '1day']

type PeriodBarProps = { period: ChartPeriod; onChange: (period: ChartPeriod) => void }

/** Choice of the period. Memoized, because prices render its parent many times a second. */
const PeriodBar = memo(function PeriodBar({ period, onChange }: PeriodBarProps) {
  const t = useTranslations('chart')
  return (
    <div className="no-scrollbar overflow-x-auto">
      <div className="min-w-max whitespace-nowrap">
        <Segmented
          label={t('periods')}
          track="none"
          value={period}
          onChange={onChange}
          options={PERIOD_ORDER.map((value) => ({
            value,
            label: (
              <>
                <span aria-hidden>{t(`period.${value}`)}</span>
                <span className="sr-only">{t(`periodName.${value}`)}</span>
              </>
            ),
          }))}
        />
      </div>
    </div>
  )
})

/** Heights of the placeholder's candles in percent. */
const HEIGHTS = [26, 34, 30, 44, 38, 30, 24, 36, 46, 40, 52, 60, 54, 62, 72, 66, 58, 64, 74, 68]

/** Placeholder of the candles. */
function ChartSkeleton() {
  const t = useTranslations('chart')
  return (
    <div role="status" aria-label={t('loading')} className="relative size-full overflow-hidden">
      {/* Absolute, so that the placeholder does not change the height of the chart. */}
      <div className="absolute inset-0 flex items-end gap-[1.6%] px-4 pe-16 pb-8">
        {HEIGHTS.map((height, at) => (
          <span
            key={at}
            style={{ marginBottom: `${height}%`, height: `${8 + (height % 9)}%` }}
            className="flex-1 animate-[shimmer_1.4s_ease-in-out_infinite] rounded-[3px] bg-line"
          />
        ))}
      </div>
    </div>
  )
}

function ChartEmpty() {
  const t = useTranslations('chart')
  return <EmptyState isInBox icon={CandlestickChart} title={t('empty')} text={t('emptyText')} />
}

function ChartFailed({ onRetry }: { onRetry: () => void }) {
  const t = useTranslations()
  return (
    <EmptyState
      isInBox
      icon={CloudOff}
      title={t('chart.failed')}
      text={t('chart.failedText')}
      action={
        <Button tone="outline" size="small" onClick={onRetry}>
          {t('app.retry')}
        </Button>
      }
    />
  )
}
