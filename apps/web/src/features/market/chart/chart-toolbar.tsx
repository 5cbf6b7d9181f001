import { ChartSpline, Maximize2, Minimize2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { IconButton } from '@fairlot/ui/icon-button.tsx'
import { chooseChart, useChartChoice } from './chart-choice.ts'
import type { ChartPeriod } from './chart-port.ts'
import { IndicatorSheet } from './indicator-sheet.tsx'
import { PeriodBar } from './period-bar.tsx'

const choosePeriod = (period: ChartPeriod) => chooseChart({ period })

type ChartToolbarProps = {
  leading: ReactNode
  tall: { isTall: boolean; onChange: (isTall: boolean) => void } | undefined
}

/** Periods, indicators, and the way to a taller chart. */
export function ChartToolbar({ leading, tall }: ChartToolbarProps) {
  const t = useTranslations('chart')
  const { period, indicators } = useChartChoice()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4">
      {leading}
      <div className="flex min-w-0 grow items-center justify-between desktop:grow-0">
        <div className="min-w-0 flex-1 desktop:w-80 desktop:flex-none">
          <PeriodBar period={period} onChange={choosePeriod} />
        </div>
        <IconButton icon={ChartSpline} label={t('indicators')} onClick={() => setIsOpen(true)} />
        {tall && (
          <IconButton
            icon={tall.isTall ? Minimize2 : Maximize2}
            label={t(tall.isTall ? 'smaller' : 'taller')}
            aria-pressed={tall.isTall}
            onClick={() => tall.onChange(!tall.isTall)}
          />
        )}
      </div>
      <IndicatorSheet
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        chosen={indicators}
        onChange={(next) => chooseChart({ indicators: next })}
      />
    </div>
  )
}
