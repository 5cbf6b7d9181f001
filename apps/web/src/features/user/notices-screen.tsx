import type { NoticeRow as Row } from '@fairlot/contract'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { BellOff } from 'lucide-react'
import { useEffect } from 'react'
import { Link } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { markNoticesRead, useNotices } from '../../live/notices.ts'
import { NoticeRow } from './notice-row.tsx'
import { FailedState } from '../../ui/failed-state.tsx'
import { MoreButton } from '../../ui/more-button.tsx'

/** Everything the user is told of, in one list; whoever opens it has read it. */
export function NoticesScreen() {
  const t = useTranslations('notices')
  const query = useNotices()
  const { notices, error, refetch } = query
  useReading(notices)
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-6">
      {notices ? (
        <Notices notices={notices} />
      ) : error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
      <MoreButton pages={query} />
      <Link to="/mine/system" className="grid min-h-11 place-items-center text-note text-second underline">
        {t('toChoices')}
      </Link>
    </div>
  )
}

/** The latest is read once it is shown. */
function useReading(notices: readonly Row[] | undefined): void {
  const unreadUpTo = notices?.some(({ isRead }) => !isRead) ? notices[0]?.time : undefined
  useEffect(() => {
    if (unreadUpTo !== undefined) markNoticesRead(unreadUpTo)
  }, [unreadUpTo])
}

function Notices({ notices }: { notices: readonly Row[] }) {
  const t = useTranslations('notices')
  if (notices.length === 0) return <EmptyState icon={BellOff} title={t('none')} text={t('noneText')} />
  return (
    <ul className="divide-y divide-line">
      {notices.map((notice, place) => (
        // Two may be of the same moment; none ever moves within a page.
        <NoticeRow key={`${notice.time} ${place}`} notice={notice} />
      ))}
    </ul>
  )
}

function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = useTranslations()
  return <FailedState title={t('notices.failed')} error={error} onRetry={onRetry} />
}

const Loading = () => (
  <div className="divide-y divide-line">
    {[0, 1, 2, 3].map((row) => (
      <div key={row} className="flex min-h-20 flex-col justify-center gap-2">
        <Skeleton shape="h-3.5 w-48" />
        <Skeleton shape="h-2.5 w-64" />
      </div>
    ))}
  </div>
)
