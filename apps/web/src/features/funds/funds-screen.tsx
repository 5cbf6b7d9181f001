import type { LedgerRecord } from '@fairlot/contract'
import { CloudOff, ScrollText } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Button } from '@fairlot/ui/button.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { BalanceCard } from './balance-card.tsx'
import { useLedgerRecords } from './queries.ts'
import { directionOfFigure } from '../../i18n/number-format.ts'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { ChangeFigure } from '@fairlot/ui/change-figure.tsx'

/** Available and frozen money over every booking with the balance after it. */
export function FundsScreen() {
  const t = useTranslations('funds')
  const { records, isError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useLedgerRecords()
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-6">
      <BalanceCard />
      <h2 className="mt-2 text-note text-second">{t('records')}</h2>
      {records ? (
        <Records records={records} />
      ) : isError ? (
        <Failed onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
      {hasNextPage && (
        <Button tone="outline" isWide isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </div>
  )
}

function Records({ records }: { records: readonly LedgerRecord[] }) {
  const t = useTranslations('funds')
  if (records.length === 0) return <EmptyState icon={ScrollText} title={t('empty')} text={t('emptyText')} />
  return (
    <ul className="divide-y divide-line">
      {records.map((record) => (
        <RecordRow key={record.id} record={record} />
      ))}
    </ul>
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const t = useTranslations()
  return (
    <EmptyState
      icon={CloudOff}
      title={t('funds.failed')}
      text={t('funds.failedText')}
      action={
        <Button tone="outline" onClick={onRetry}>
          {t('app.retry')}
        </Button>
      }
    />
  )
}

const Loading = () => (
  <div className="divide-y divide-line">
    {[0, 1, 2, 3].map((row) => (
      <div key={row} className="flex min-h-16 items-center justify-between gap-4">
        <span className="flex flex-col gap-2">
          <Skeleton shape="h-3.5 w-40" />
          <Skeleton shape="h-2.5 w-28" />
        </span>
        <Skeleton shape="h-4 w-20" />
      </div>
    ))}
  </div>
)

/** One booking: what for, when, how much to the last digit, and the balance after it. */
function RecordRow({ record }: { record: LedgerRecord }) {
  const t = useTranslations('funds')
  const { figures, moments } = useLocale()
  const { main, rest } = figures.fine(record.amount, { sign: 'always' })
  return (
    <li className="flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
      <span className="min-w-0 flex-[1_1_8rem]">
        <span className="block">{record.memo}</span>
        <span className="block text-note text-second">{moments.dateTime(record.createdAt)}</span>
      </span>
      <span className="ms-auto flex flex-col items-end">
        <ChangeFigure direction={directionOfFigure(main)} text={main} rest={rest} hasArrow={false} />
        <span className="text-note whitespace-nowrap text-second">
          {t('balanceAfter', { amount: figures.money(record.balance) })}
        </span>
      </span>
    </li>
  )
}
