import { Link, useLocation } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { AccountStrip } from '../../features/trading/account/account-strip.tsx'
import { DemoButton } from '../../features/auth/demo-button.tsx'
import { useIsLoggedIn } from '../../live/auth/token.ts'
import { BrandMark } from '@fairlot/ui/brand-mark.tsx'
import { classNames } from '@fairlot/ui/class-names.ts'
import { useTabPath } from '../footer-tabs.tsx'
import { AvatarLink, BellLink } from '../main-header.tsx'
import { SourceChip } from '../source-chip.tsx'

const LINKS = [
  { name: 'trade', to: '/', also: ['/trade'] },
  { name: 'orders', to: '/order', also: [] },
  { name: 'ranking', to: '/rank', also: [] },
  { name: 'copying', to: '/rank?tab=copy', also: [] },
  { name: 'news', to: '/news', also: ['/news/detail'] },
  { name: 'funds', to: '/mine/history', also: [] },
] as const

/** The head of the workspace: where one is, how the account stands, where prices come from. */
export function DesktopHeader() {
  const t = useTranslations()
  const isLoggedIn = useIsLoggedIn()
  return (
    <header className="flex min-h-16 flex-wrap items-center gap-x-5 border-b border-line bg-surface px-5">
      <BrandMark />
      <span className="text-title font-bold">{t('app.name')}</span>
      <nav aria-label={t('tabs.label')} className="ms-2 flex flex-1 gap-1">
        {LINKS.map(({ name, to, also }) => (
          <DeskLink key={name} to={to} also={also} label={t(`tabs.${name}`)} />
        ))}
      </nav>
      {isLoggedIn ? (
        <div className="max-[88rem]:order-last max-[88rem]:basis-full max-[88rem]:pb-2.5">
          <AccountStrip />
        </div>
      ) : (
        <DemoButton size="small" />
      )}
      <SourceChip />
      <span className="-me-4 flex">
        <BellLink />
        <AvatarLink />
      </span>
    </header>
  )
}

function DeskLink({ to, also, label }: { to: string; also: readonly string[]; label: string }) {
  const { pathname } = useLocation()
  const isCurrent = useTabPath() === to || also.includes(pathname)
  return (
    <Link
      to={to}
      aria-current={isCurrent ? 'page' : undefined}
      className={classNames(
        'flex min-h-11 items-center px-2 font-bold transition-colors',
        isCurrent ? 'text-ink' : 'text-third hover:text-ink',
      )}
    >
      {label}
    </Link>
  )
}
