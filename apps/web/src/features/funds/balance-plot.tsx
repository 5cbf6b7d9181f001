import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Card } from '@fairlot/ui/card.tsx'
import { Segmented } from '@fairlot/ui/segmented.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { FailedLine } from '../../ui/failed-line.tsx'
import { BalanceLine } from './balance-line.tsx'
import { useBalanceHistory } from './queries.ts'

const PERIODS = ['7', '30', '90', '365'] as const
type Days = (typeof PERIODS)[number]

/** How the balance came to be what it is, over a time to choose. */
export function BalancePlot() {
  const t = useTranslations()
  const [days, setDays] = useState<Days>('30')
  const { points, isError, refetch } = useBalanceHistory(Number(days))
  return (
    <Card>
      <div className="flex flex-col gap-3">
        {points ? (
          <BalanceLine key={days} points={points} />
        ) : isError ? (
          <div className="flex min-h-36">
            <FailedLine text={t('funds.plotFailed')} onRetry={refetch} />
          </div>
        ) : (
          <Skeleton shape="h-36 w-full" />
        )}
        <Segmented
          label={t('funds.plotPeriod')}
          options={PERIODS.map((value) => ({ value, label: t(`funds.days.${value}`) }))}
          value={days}
          onChange={setDays}
        />
      </div>
    </Card>
  )
}
