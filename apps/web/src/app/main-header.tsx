import { UserRound } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslations } from 'use-intl'
import { useIsLoggedIn } from '../live/auth/token.ts'
import { useHasUnreadNews } from '../live/news/unread.ts'
import { BrandMark } from '@fairlot/ui/brand-mark.tsx'
import { Icon } from '@fairlot/ui/icon.tsx'
import { Ringing, RoundLink } from './round-link.tsx'
import { SourceChip } from './source-chip.tsx'

const NoticesLink = lazy(async () => ({ default: (await import('./notices-link.tsx')).NoticesLink }))

/** The head of a main screen: mark, title, source of the prices, bell, avatar. The workspace has its own for all but the title. */
export function MainHeader({ title }: { title: string }) {
  return (
    <header className="mx-auto flex w-full max-w-2xl flex-wrap items-center gap-x-2.5 ps-4 pe-2 pt-[max(0.5rem,env(safe-area-inset-top))] pb-1">
      <span className="max-[22.5rem]:hidden desktop:hidden">
        <BrandMark />
      </span>
      <h1 className="min-w-fit flex-1 text-title font-bold">{title}</h1>
      <span className="contents desktop:hidden">
        <SourceChip />
      </span>
      <div className="ms-auto flex desktop:hidden">
        <BellLink />
        <AvatarLink />
      </div>
    </header>
  )
}

/** Leads to what the reader is told of, a visitor to the news; a mark tells of some that is unread. */
export function BellLink() {
  const t = useTranslations('screens')
  if (!useIsLoggedIn()) return <NewsLink />
  return (
    <Suspense fallback={<Ringing to="/mine/notices" label={t('notices')} hasUnread={false} />}>
      <NoticesLink />
    </Suspense>
  )
}

function NewsLink() {
  const t = useTranslations()
  const hasUnread = useHasUnreadNews()
  const label = hasUnread ? t('app.newsUnread') : t('screens.news')
  return <Ringing to="/news" label={label} hasUnread={hasUnread} />
}

/** Leads to the user centre; a visitor comes to the login on the way. */
export function AvatarLink() {
  const t = useTranslations('screens')
  return (
    <RoundLink to="/user" label={t('user')} isInk>
      <Icon of={UserRound} size={18} />
    </RoundLink>
  )
}
