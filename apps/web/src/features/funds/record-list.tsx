import { ScrollText } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { LedgerRecord } from '@fairlot/contract'
import { ChangeFigure } from '@fairlot/ui/figures/change-figure.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { Link } from '@fairlot/ui/navigation/router.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { asName, asNames, Name, withNames } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { directionOfFigure } from '../../i18n/number-format.ts'
import { FailedState } from '../../ui/failed-state.tsx'
import type { RecordFilter } from './queries.ts'

type RecordListProps = { records: readonly LedgerRecord[]; filter: RecordFilter }

/** The bookings, with all of one withdrawal in one row. */
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
      {groupWithdrawals(records).map((line) =>
        'records' in line ? (
          <li key={`withdrawal ${line.caseId}`}>
            <WithdrawalRow line={line} />
          </li>
        ) : (
          <li key={line.id}>
            <RecordRow record={line} />
          </li>
        ),
      )}
    </ul>
  )
}

const ROW = 'flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5'

/** One booking with the balance after it, linked to its order or payment. */
function RecordRow({ record }: { record: LedgerRecord }) {
  const { moments } = useLocale()
  const t = useTranslations('funds')
  const path = recordPath(record)
  const { memo, createdAt, caseId } = record
  const row: ReactNode = (
    <>
      <span className="min-w-0 flex-[1_1_8rem]">
        <span className="block">{withNames(asNames(memo))}</span>
        <span className="block text-note text-second">
          <Name>{moments.dateTime(createdAt)}</Name>
          {caseId !== null && withNames(` · ${t('caseNumber', { number: asName(caseId) })}`)}
        </span>
      </span>
      <RecordFigures record={record} />
    </>
  )
  if (path === null) return <div className={ROW}>{row}</div>
  return (
    // A sheet above this screen adds no history entry.
    <Link to={path} replace={path.startsWith('?')} className={ROW}>
      {row}
    </Link>
  )
}

/** One withdrawal with its bookings: held, then paid with the fee, or released. */
function WithdrawalRow({ line }: { line: WithdrawalRecords }) {
  const { figures, moments } = useLocale()
  const t = useTranslations('funds')
  const { caseId, records } = line
  const [newest] = records
  // Bookings of frozen funds leave the balance unchanged.
  const balanced = records.find(({ isFrozen }) => !isFrozen) ?? newest
  const text = figures.cost(withdrawnAmount(line), { sign: 'always' })
  return (
    <Link to={`/mine/withdraw?id=${caseId}`} className={ROW}>
      <span className="min-w-0 flex-[1_1_8rem]">
        <span className="block">
          {withNames(t('withdrawal', { number: asName(caseId) }))} ·{' '}
          {t(`withdrawalState.${withdrawalState(line)}`)}
        </span>
        <span className="block text-note text-second">
          <Name>{moments.dateTime(newest.createdAt)}</Name>
        </span>
        <span className="block text-note text-second">
          {withNames(
            records
              .toReversed()
              .map(({ memo, amount }) => `${memo} ${asName(figures.money(amount))}`)
              .join(' · '),
          )}
        </span>
      </span>
      <span className="ms-auto flex flex-col items-end">
        <ChangeFigure direction={directionOfFigure(text)} text={text} hasArrow={false} />
        <span className="text-note whitespace-nowrap text-second">
          {withNames(
            t(balanced.isFrozen ? 'frozenAfter' : 'balanceAfter', {
              amount: asName(figures.money(balanced.balance)),
            }),
          )}
        </span>
      </span>
    </Link>
  )
}

function RecordFigures({ record: { amount, balance, isFrozen } }: { record: LedgerRecord }) {
  const t = useTranslations('funds')
  const { figures } = useLocale()
  const text = figures.cost(amount, { sign: 'always' })
  return (
    <span className="ms-auto flex flex-col items-end">
      {/* Frozen funds left the balance before, so their payout is not shown as a loss. */}
      <ChangeFigure direction={isFrozen ? 'flat' : directionOfFigure(text)} text={text} hasArrow={false} />
      <span className="text-note whitespace-nowrap text-second">
        {withNames(t(isFrozen ? 'frozenAfter' : 'balanceAfter', { amount: asName(figures.money(balance)) }))}
      </span>
    </span>
  )
}

/** Shown when the bookings could not be loaded. */
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

/** The path to a booking's order, payment or adjustment; null for a booking without one. */
export function recordPath({ kind, orderId, caseId }: LedgerRecord): string | null {
  if (orderId !== null) return `?order=${orderId}`
  if (kind === 'adjustment') return '/mine/activity'
  if (caseId === null) return null
  return kind === 'deposit' ? `?deposit=${caseId}` : `/mine/withdraw?id=${caseId}`
}

/** The bookings of one withdrawal, the newest first. */
export type WithdrawalRecords = {
  readonly caseId: number
  readonly records: readonly [LedgerRecord, ...LedgerRecord[]]
}

const WITHDRAWAL_KINDS: readonly LedgerRecord['kind'][] = [
  'withdrawalHeld',
  'withdrawalPaid',
  'withdrawalFee',
  'withdrawalReleased',
]

/** Groups the bookings of each withdrawal into one line, at the place of the newest. */
export function groupWithdrawals(records: readonly LedgerRecord[]): (LedgerRecord | WithdrawalRecords)[] {
  const isPart = ({ kind, caseId }: LedgerRecord) => caseId !== null && WITHDRAWAL_KINDS.includes(kind)
  const byCase = Map.groupBy(records.filter(isPart), ({ caseId }) => caseId)
  return records.flatMap((record): readonly (LedgerRecord | WithdrawalRecords)[] => {
    if (!isPart(record)) return [record]
    const [first, ...more] = byCase.get(record.caseId) ?? []
    if (first !== record || record.caseId === null) return []
    return [{ caseId: record.caseId, records: [first, ...more] }]
  })
}

/** The state of a withdrawal according to its bookings. */
export function withdrawalState({ records }: WithdrawalRecords): 'held' | 'paid' | 'released' {
  const kinds = new Set(records.map(({ kind }) => kind))
  if (kinds.has('withdrawalReleased')) return 'released'
  return kinds.has('withdrawalPaid') || kinds.has('withdrawalFee') ? 'paid' : 'held'
}

const sumOf = (records: readonly LedgerRecord[], kinds: readonly LedgerRecord['kind'][]): bigint =>
  records.filter(({ kind }) => kinds.includes(kind)).reduce((sum, { amount }) => sum + amount, 0n)

/** The amount taken from the account; zero once released. The booking of the hold may be on a page that is not loaded yet. */
export function withdrawnAmount(line: WithdrawalRecords): bigint {
  if (withdrawalState(line) === 'released') return 0n
  const held = sumOf(line.records, ['withdrawalHeld'])
  return held === 0n ? sumOf(line.records, ['withdrawalPaid', 'withdrawalFee']) : held
}
