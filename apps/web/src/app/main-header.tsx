import { UserRound } from 'lucide-react'
import { lazy } from 'react'
import { useTranslations } from 'use-intl'
import type { InstrumentListing, QuoteSource } from '@fairlot/contract'
import { Badge } from '@fairlot/ui/feedback/badge.tsx'
import { BrandMark } from '@fairlot/ui/graphics/brand-mark.tsx'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { classNames } from '@fairlot/ui/theme/class-names.ts'
import { useIsLoggedIn } from '../live/device/token.ts'
import { useUser } from '../live/session/user.ts'
import { useInstruments } from '../live/market/instruments.ts'
import { sourceKey } from '../live/market/quotes.ts'
import { useHasUnreadNews } from '../live/news.ts'
import { SmallPart } from '@fairlot/ui/feedback/boundary.tsx'
import { BellIconLink, RoundLink } from './round-link.tsx'

const NoticesLink = lazy(async () => ({ default: (await import('./notices-link.tsx')).NoticesLink }))

type MainHeaderProps = {
  title: string
  /** As wide as a screen that fills the desktop. */
  isWide?: boolean
}

/** The header of a main screen: logo, title, price source, bell, avatar. On the desktop only the title shows here. */
export function MainHeader({ title, isWide = false }: MainHeaderProps) {
  return (
    <header
      className={classNames(
        'mx-auto flex w-full max-w-2xl landscape-phone:max-w-none items-center gap-x-2.5 ps-4 pe-2 pt-[max(0.5rem,env(safe-area-inset-top))] pb-1',
        isWide && 'desktop:max-w-6xl',
      )}
    >
      <span className="max-[22.5rem]:hidden desktop:hidden">
        <BrandMark />
      </span>
      {/* Where both do not fit beside each other, the source stands below the title. */}
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2.5">
        <h1 className="min-w-fit flex-1 text-title font-bold">{title}</h1>
        <span className="contents desktop:hidden">
          <SourceChip />
        </span>
      </div>
      <div className="ms-auto flex desktop:hidden">
        <BellLink />
        <AvatarLink />
      </div>
    </header>
  )
}

/** Links a user to the notices and a visitor to the news, marked while some are unread. */
export function BellLink() {
  const t = useTranslations('screens')
  if (!useIsLoggedIn()) return <NewsLink />
  const plain = <BellIconLink to="/mine/notices" label={t('notices')} hasUnread={false} />
  return (
    <SmallPart loading={plain} instead={plain}>
      <NoticesLink />
    </SmallPart>
  )
}

function NewsLink() {
  const t = useTranslations()
  const hasUnread = useHasUnreadNews()
  const label = hasUnread ? t('app.newsUnread') : t('screens.news')
  return <BellIconLink to="/news" label={label} hasUnread={hasUnread} />
}

/** Links to the user centre; a visitor is redirected to the log-in. */
export function AvatarLink() {
  const t = useTranslations('screens')
  return (
    <RoundLink to="/user" label={t('user')} isInk>
      <Icon of={UserRound} size={18} />
    </RoundLink>
  )
}

const LEAST_REAL_FIRST: readonly QuoteSource[] = ['simulated', 'recorded', 'live']

/** The least real source of the listed prices, so that one chip for all prices overstates none of them. */
export const sourceOf = (instruments: readonly Pick<InstrumentListing, 'source'>[]): QuoteSource | null =>
  LEAST_REAL_FIRST.find((source) => instruments.some((instrument) => instrument.source === source)) ?? null

/** The source of the prices, and whether this is a demo account. Always visible. */
export function SourceChip() {
  const t = useTranslations('source')
  const source = sourceOf(useInstruments().instruments ?? [])
  const isDemo = useUser()?.isDemo ?? false
  if (source === null) return isDemo && <Badge tone="brass">{t('demo')}</Badge>
  return <Badge tone="brass">{t(sourceKey(source, isDemo))}</Badge>
}
