import { CalendarCheck } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { useTermsChanges } from '../../../live/market/terms-changes.ts'
import { TermsChangeCard } from './terms-change-card.tsx'
import { FailedState } from '../../../ui/failed-state.tsx'

/** Every change of terms that is announced: what will be otherwise, from when, and why. */
export function TermsScreen() {
  const t = useTranslations()
  const { changes, isFailed, refetch } = useTermsChanges()
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-6">
      <p className="text-note text-second">{t('terms.text')}</p>
      {changes?.map((change) => (
        <TermsChangeCard key={change.id} change={change} />
      ))}
      {changes?.length === 0 && (
        <EmptyState icon={CalendarCheck} title={t('terms.empty')} text={t('terms.emptyText')} />
      )}
      {!changes && !isFailed && <Skeleton shape="h-32 w-full" />}
      {isFailed && <FailedState title={t('terms.failed')} onRetry={() => void refetch()} />}
    </div>
  )
}
