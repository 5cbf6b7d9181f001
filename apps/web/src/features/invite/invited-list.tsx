import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { UsersRound } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { useInvited } from './queries.ts'
import { FailedState } from '../../ui/failed-state.tsx'
import { MoreButton } from '../../ui/more-button.tsx'

/** Who has joined: so much of their contact that a friend knows them, and when. */
export function InvitedList() {
  const t = useTranslations()
  const { moments } = useLocale()
  const query = useInvited()
  const { invited, total, error, refetch } = query
  if (!invited)
    return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Skeleton shape="h-24 w-full" />
  if (invited.length === 0)
    return <EmptyState icon={UsersRound} title={t('invite.none')} text={t('invite.noneText')} />
  return (
    <section className="flex flex-col gap-1">
      <h2 className="mt-2 text-note text-second">{t('invite.joined', { count: total ?? 0 })}</h2>
      <ul className="divide-y divide-line">
        {invited.map(({ name, joinedAt }, place) => (
          // Two may look the same; none ever moves within a page.
          <li
            key={`${joinedAt} ${place}`}
            className="flex min-h-12 flex-wrap items-center justify-between gap-x-4"
          >
            <bdi className="min-w-0 break-words">{name}</bdi>
            <bdi className="text-note text-second">{moments.dateTime(joinedAt)}</bdi>
          </li>
        ))}
      </ul>
      <MoreButton pages={query} />
    </section>
  )
}

function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = useTranslations()
  const text = t('invite.failedText')
  return <FailedState title={t('invite.failed')} text={text} error={error} onRetry={onRetry} />
}
