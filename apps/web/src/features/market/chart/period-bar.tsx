import { memo } from 'react'
import { useTranslations } from 'use-intl'
import { Segmented } from '@fairlot/ui/segmented.tsx'
import type { ChartPeriod } from './chart-port.ts'

const PERIODS: readonly ChartPeriod[] = ['1min', '5min', '15min', '30min', '60min', '1day']

type PeriodBarProps = { period: ChartPeriod; onChange: (period: ChartPeriod) => void }

/** The length of a candle. Prices move around it many times a second; it stays as it is. */
export const PeriodBar = memo(function PeriodBar({ period, onChange }: PeriodBarProps) {
  const t = useTranslations('chart')
  return (
    <div className="no-scrollbar overflow-x-auto">
      <div className="min-w-max whitespace-nowrap">
        <Segmented
          label={t('periods')}
          trough="none"
          value={period}
          onChange={onChange}
          options={PERIODS.map((value) => ({
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
