import { useInfiniteQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { Fragment } from 'react'
import { useTranslations } from 'use-intl'
import { type Activity, deviceName, listActivity, PAGE_ROWS } from '@fairlot/contract'
import { Badge } from '@fairlot/ui/feedback/badge.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { asNames, Name, withNames } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { request } from '../../live/requests/request.ts'
import { FailedState } from '../../ui/failed-state.tsx'
import { MoreButton } from '../../ui/more-button.tsx'

/** The account's activity log, by the user and by operators, newest first, page by page. */
function useActivities() {
  const query = useInfiniteQuery({
    queryKey: ['user', 'activity'],
    queryFn: ({ pageParam, signal }) =>
      request(listActivity, { page: pageParam }, { signal, isSilent: true }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (pages.length * PAGE_ROWS < last.total ? pages.length + 1 : undefined),
    staleTime: 0,
  })
  const activities: readonly Activity[] | undefined = query.data?.pages.flatMap((page) => page.activities)
  return { ...query, activities }
}

/** The account's activity log: the user's own log-ins and changes, and every operator action with role, time and reason. */
export function ActivityScreen() {
  const t = useTranslations('user')
  const query = useActivities()
  const { activities, error, refetch } = query
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-6">
      <p className="text-note text-second">{t('activityText')}</p>
      {activities ? (
        <Activities activities={activities} />
      ) : error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
      <MoreButton pages={query} />
    </div>
  )
}

function Activities({ activities }: { activities: readonly Activity[] }) {
  const t = useTranslations('user')
  if (activities.length === 0) return <EmptyState icon={History} title={t('activityNone')} />
  return (
    <ul className="divide-y divide-line">
      {activities.map((activity, index) => (
        // Two entries may share a timestamp; an entry never changes its place within a page.
        <ActivityRow key={`${activity.at} ${index}`} activity={activity} />
      ))}
    </ul>
  )
}

function ActivityRow({ activity: { by, at, text, role, reason, device, address } }: { activity: Activity }) {
  const t = useTranslations()
  const { moments } = useLocale()
  const origin = [deviceName(device ?? ''), address].filter((part) => part !== null && part !== '')
  return (
    <li className="flex flex-col gap-0.5 py-2.5">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="min-w-0 font-medium break-words">{withNames(asNames(text))}</span>
        {by === 'operator' && (
          <Badge tone="brass">{role === null ? t('user.activityOperator') : t(`account.role.${role}`)}</Badge>
        )}
      </span>
      {reason !== null && reason !== '' && (
        <span className="break-words">{t('user.activityReason', { reason })}</span>
      )}
      <span className="text-note text-second">
        <Name>{moments.dateTime(at)}</Name>
        {origin.map((part) => (
          <Fragment key={part}>
            {' · '}
            <Name className="break-words">{part}</Name>
          </Fragment>
        ))}
      </span>
    </li>
  )
}

function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = useTranslations()
  return <FailedState title={t('user.activityFailed')} error={error} onRetry={onRetry} />
}

const Loading = () => (
  <div className="divide-y divide-line">
    {[0, 1, 2, 3].map((row) => (
      <div key={row} className="flex min-h-16 flex-col justify-center gap-2">
        <Skeleton shape="h-3.5 w-48" />
        <Skeleton shape="h-2.5 w-32" />
      </div>
    ))}
  </div>
)
