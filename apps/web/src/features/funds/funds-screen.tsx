import { lazy, Suspense, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Chip, ChipRow } from '@fairlot/ui/chip.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { BalanceCard } from './balance-card.tsx'
import { useLedgerRecords, type RecordFilter } from './queries.ts'
import { RecordList, RecordsFailed, RecordsLoading } from './record-list.tsx'
import { StatementButton } from './statement-button.tsx'
import { MoreButton } from '../../ui/more-button.tsx'

const BalancePlot = lazy(async () => ({ default: (await import('./balance-plot.tsx')).BalancePlot }))

const FILTERS = ['all', 'trading', 'money', 'nights'] as const satisfies readonly RecordFilter[]

/** Available and frozen money, how the balance came to be, and every booking with the balance after it. */
export function FundsScreen() {
  const t = useTranslations('funds')
  const [filter, setFilter] = useState<RecordFilter>('all')
  const state = useLedgerRecords(filter)
  const { records, error, refetch } = state
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-6">
      <BalanceCard />
      <Suspense fallback={<Skeleton shape="h-56 w-full" />}>
        <BalancePlot />
      </Suspense>
      <h2 className="sr-only">{t('records')}</h2>
      <ChipRow label={t('filter')}>
        {FILTERS.map((each) => (
          <Chip key={each} isSelected={each === filter} onSelect={() => setFilter(each)}>
            {t(`group.${each}`)}
          </Chip>
        ))}
      </ChipRow>
      {records ? (
        <RecordList records={records} filter={filter} />
      ) : error ? (
        <RecordsFailed error={error} onRetry={() => void refetch()} />
      ) : (
        <RecordsLoading />
      )}
      <MoreButton pages={state} />
      <StatementButton />
    </div>
  )
}
