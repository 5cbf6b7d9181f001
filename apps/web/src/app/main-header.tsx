import { Bell, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { useIsLoggedIn } from '../live/auth/token.ts'
import { useHasUnreadNews } from '../live/news/unread.ts'
import { useUnreadNotices } from '../live/notices.ts'
import { BrandMark } from '@fairlot/ui/brand-mark.tsx'
import { Icon } from '@fairlot/ui/icon.tsx'
import { iconButtonClass } from '@fairlot/ui/icon-button.tsx'
import { SourceChip } from './source-chip.tsx'

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
  const isLoggedIn = useIsLoggedIn()
  return isLoggedIn ? <NoticesLink /> : <NewsLink />
}

function NoticesLink() {
  const t = useTranslations()
  const hasUnread = useUnreadNotices() > 0
  const label = hasUnread ? t('app.noticesUnread') : t('screens.notices')
  return <Ringing to="/mine/notices" label={label} hasUnread={hasUnread} />
}

function NewsLink() {
  const t = useTranslations()
  const hasUnread = useHasUnreadNews()
  const label = hasUnread ? t('app.newsUnread') : t('screens.news')
  return <Ringing to="/news" label={label} hasUnread={hasUnread} />
}

function Ringing({ to, label, hasUnread }: { to: string; label: string; hasUnread: boolean }) {
  return (
    <RoundLink to={to} label={label}>
      <span className="relative">
        <Icon of={Bell} size={18} />
        {hasUnread && (
          <span className="absolute -end-0.5 -top-0.5 size-2 rounded-full bg-brass ring-2 ring-surface" />
        )}
      </span>
    </RoundLink>
  )
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

type RoundLinkProps = { to: string; label: string; isInk?: boolean; children: ReactNode }

/** 44 px to touch, 32 px to see. */
const RoundLink = ({ to, label, isInk = false, children }: RoundLinkProps) => (
  <Link to={to} aria-label={label} className={iconButtonClass()}>
    <span
      className={`grid size-8 place-items-center rounded-full ${isInk ? 'bg-ink text-on-ink' : 'bg-surface text-second desktop:bg-page'}`}
    >
      {children}
    </span>
  </Link>
)
