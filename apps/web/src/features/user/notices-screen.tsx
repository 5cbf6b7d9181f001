import {
  ArrowDownToLine,
  ArrowUpFromLine,
  BadgeCheck,
  BellOff,
  BellRing,
  ClipboardList,
  Headset,
  type LucideIcon,
  Megaphone,
  Newspaper,
  ShieldCheck,
  TrendingDown,
  TriangleAlert,
  UserRoundCog,
} from 'lucide-react'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import type { NoticeGroup, NoticeRow as Row } from '@fairlot/contract'
import { Badge } from '@fairlot/ui/feedback/badge.tsx'
import { Dot } from '@fairlot/ui/feedback/dot.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { ListLink } from '@fairlot/ui/navigation/list-link.tsx'
import { Link } from '@fairlot/ui/navigation/router.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { asNames, Name, withNames } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { noticePath } from '../../live/account/notice-path.ts'
import { markNoticesRead, useNotices } from '../../live/account/notices.ts'
import { useHasUnreadNews } from '../../live/news.ts'
import { FailedState } from '../../ui/failed-state.tsx'
import { MoreButton } from '../../ui/more-button.tsx'

/** All notices of the user in one list; opening it marks them as read. */
export function NoticesScreen() {
  const t = useTranslations('notices')
  const query = useNotices()
  const { notices, error, refetch } = query
  useMarkNoticesRead(notices)
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-6">
      <NewsLink />
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

/** News are for everybody, so they have a list of their own. */
function NewsLink() {
  const t = useTranslations()
  const hasUnread = useHasUnreadNews()
  return (
    <Card>
      <div className="-my-3">
        <ListLink
          icon={Newspaper}
          to="/news"
          title={t('screens.news')}
          value={hasUnread && <Badge tone="brass">{t('notices.unreadNews')}</Badge>}
        />
      </div>
    </Card>
  )
}

/** Marks everything up to the latest notice as read once the list is shown. */
function useMarkNoticesRead(notices: readonly Row[] | undefined): void {
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
      {notices.map((notice, index) => (
        // Two notices may share a timestamp; a notice never changes its place within a page.
        <NoticeRow key={`${notice.time} ${index}`} notice={notice} />
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

const ICONS: Record<NoticeGroup, LucideIcon> = {
  margin: TriangleAlert,
  stopOut: TrendingDown,
  alerts: BellRing,
  orders: ClipboardList,
  account: UserRoundCog,
  deposit: ArrowDownToLine,
  withdrawal: ArrowUpFromLine,
  identity: BadgeCheck,
  news: Megaphone,
  support: Headset,
  security: ShieldCheck,
}

const isUrgent = (group: NoticeGroup): boolean => group === 'margin' || group === 'stopOut'

/** One notice, linked to the screen with the details. */
function NoticeRow({ notice }: { notice: Row }) {
  const t = useTranslations('notices')
  const { moments } = useLocale()
  const { group, title, text, time, isRead } = notice
  return (
    <li>
      <Link to={noticePath(notice)} className="flex items-start gap-3 py-3">
        <span
          className={`grid size-9 shrink-0 place-items-center rounded-full bg-surface ${isUrgent(group) ? 'text-danger' : 'text-second'}`}
        >
          <Icon of={ICONS[group]} size={18} />
        </span>
        <span className="flex min-w-0 grow flex-col gap-0.5">
          <span className="flex gap-1.5">
            {!isRead && (
              <span className="flex h-[1lh] shrink-0 items-center">
                <Dot tone="brass" />
                <span className="sr-only">{t('isNew')}</span>
              </span>
            )}
            {/* The text may be in another language than the screen, and run in another direction. */}
            <bdi className="min-w-0 grow font-bold break-words">{withNames(asNames(title))}</bdi>
          </span>
          {text !== '' && <bdi className="line-clamp-4 break-words">{withNames(asNames(text))}</bdi>}
          <span className="text-note text-second">
            <Name>{moments.dateTime(time)}</Name>
          </span>
        </span>
      </Link>
    </li>
  )
}
