import { lazy, useState } from 'react'
import { useTranslations } from 'use-intl'
import { SmallPart } from '@fairlot/ui/feedback/boundary.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { Chip, ChipRow } from '@fairlot/ui/controls/chip.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { FailedLine } from '../../ui/failed-line.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { type RecordFilter, useFunds, useLedgerRecords } from './queries.ts'
import { RecordList, RecordsFailed, RecordsLoading } from './record-list.tsx'
import { StatementButton } from './statement-button.tsx'

const BalancePlot = lazy(async () => ({ default: (await import('./balance-plot.tsx')).BalancePlot }))

const FILTERS = ['all', 'trading', 'money', 'nights'] as const satisfies readonly RecordFilter[]

/** Available and frozen funds, the balance over time, and every booking with the balance after it. */
export function FundsScreen() {
  const t = useTranslations('funds')
  const [filter, setFilter] = useState<RecordFilter>('all')
  const state = useLedgerRecords(filter)
  const { records, error, refetch } = state
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-6">
      <BalanceCard />
      <SmallPart loading={<Skeleton shape="h-56 w-full" />}>
        <BalancePlot />
      </SmallPart>
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

/** Available funds, and funds held for withdrawals. */
function BalanceCard() {
  const t = useTranslations('funds')
  const { data: funds, isError, refetch } = useFunds()
  if (isError && !funds)
    return (
      <Card>
        <FailedLine text={t('balanceFailed')} onRetry={refetch} />
      </Card>
    )
  return (
    <Card>
      <dl className="flex flex-wrap justify-between gap-x-6 gap-y-3">
        <Amount name={t('available')} units={funds?.available} isMain />
        <Amount name={t('frozen')} units={funds?.frozen} note={t('frozenText')} />
      </dl>
    </Card>
  )
}

type AmountProps = { name: string; units: bigint | undefined; note?: string; isMain?: boolean }

function Amount({ name, units, note, isMain = false }: AmountProps) {
  const { figures } = useLocale()
  return (
    <div>
      <dt className="text-tiny text-second">{name}</dt>
      <dd className={`font-bold ${isMain ? 'text-figure' : 'text-title'}`}>
        {units === undefined ? (
          <Skeleton shape="h-7 w-32" />
        ) : (
          <bdi dir="ltr" translate="no">
            {figures.money(units)}
          </bdi>
        )}
      </dd>
      {note && <dd className="text-tiny text-second">{note}</dd>}
    </div>
  )
}
