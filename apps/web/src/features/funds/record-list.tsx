import type { LedgerRecord } from '@fairlot/contract'
import { ScrollText } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { ChangeFigure } from '@fairlot/ui/change-figure.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { directionOfFigure } from '../../i18n/number-format.ts'
import type { RecordFilter } from './queries.ts'
import { recordPath } from './record-path.ts'
import { FailedState } from '../../ui/failed-state.tsx'

type RecordListProps = { records: readonly LedgerRecord[]; filter: RecordFilter }

export function RecordList({ records, filter }: RecordListProps) {
  const t = useTranslations('funds')
  if (records.length === 0)
    return filter === 'all' ? (
      <EmptyState icon={ScrollText} title={t('empty')} text={t('emptyText')} />
    ) : (
      <EmptyState icon={ScrollText} title={t('emptyGroup')} text={t('emptyGroupText')} />
    )
  return (
    <ul className="divide-y divide-line">
      {records.map((record) => (
        <li key={record.id}>
          <RecordRow record={record} />
        </li>
      ))}
    </ul>
  )
}

const ROW = 'flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5'

/** One booking: what for, when, how much to the last digit, and the balance after it. It leads to what it was for. */
function RecordRow({ record }: { record: LedgerRecord }) {
  const { moments } = useLocale()
  const t = useTranslations('funds')
  const path = recordPath(record)
  const { memo, createdAt, caseId } = record
  const row: ReactNode = (
    <>
      <span className="min-w-0 flex-[1_1_8rem]">
        <span className="block">{memo}</span>
        <span className="block text-note text-second">
          <bdi>{moments.dateTime(createdAt)}</bdi>
          {caseId !== null && <> · {t('caseNumber', { number: String(caseId) })}</>}
        </span>
      </span>
      <RecordFigures record={record} />
    </>
  )
  if (path === null) return <div className={ROW}>{row}</div>
  return (
    // What opens above this screen leaves no step of its own behind.
    <Link to={path} replace={path.startsWith('?')} className={ROW}>
      {row}
    </Link>
  )
}

function RecordFigures({ record: { amount, balance, isFrozen } }: { record: LedgerRecord }) {
  const t = useTranslations('funds')
  const { figures } = useLocale()
  const { main, rest } = figures.fine(amount, { sign: 'always' })
  return (
    <span className="ms-auto flex flex-col items-end">
      {/* Frozen money that leaves was off the balance before: no loss of now. */}
      <ChangeFigure
        direction={isFrozen ? 'flat' : directionOfFigure(main)}
        text={main}
        rest={rest}
        hasArrow={false}
      />
      <span className="text-note whitespace-nowrap text-second">
        {t(isFrozen ? 'frozenAfter' : 'balanceAfter', { amount: figures.money(balance) })}
      </span>
    </span>
  )
}

/** That there is nothing to show, and why. */
export function RecordsFailed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = useTranslations()
  return (
    <FailedState title={t('funds.failed')} text={t('funds.failedText')} error={error} onRetry={onRetry} />
  )
}

export const RecordsLoading = () => (
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
