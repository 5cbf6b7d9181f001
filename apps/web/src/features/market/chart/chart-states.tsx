import { CandlestickChart, CloudOff } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Button } from '@fairlot/ui/button.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'

/** Heights of the skeleton's candles, in percent: a market that rises and rests, the same each time. */
const HEIGHTS = [26, 34, 30, 44, 38, 30, 24, 36, 46, 40, 52, 60, 54, 62, 72, 66, 58, 64, 74, 68]

/** Candles without colour where candles are coming. */
export function ChartSkeleton() {
  const t = useTranslations('chart')
  return (
    <div role="status" aria-label={t('loading')} className="relative size-full overflow-hidden">
      {/* Takes the place that there is, and asks for none. */}
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

export function ChartEmpty() {
  const t = useTranslations('chart')
  return (
    <div className="grid size-full place-items-center overflow-hidden">
      <EmptyState icon={CandlestickChart} title={t('empty')} text={t('emptyText')} />
    </div>
  )
}

export function ChartFailed({ onRetry }: { onRetry: () => void }) {
  const t = useTranslations()
  return (
    <div className="grid size-full place-items-center overflow-hidden">
      <EmptyState
        icon={CloudOff}
        title={t('chart.failed')}
        text={t('chart.failedText')}
        action={
          <Button tone="outline" size="small" onClick={onRetry}>
            {t('app.retry')}
          </Button>
        }
      />
    </div>
  )
}
