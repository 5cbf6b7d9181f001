import { useTranslations } from 'use-intl'
import { BrandMark } from '@fairlot/ui/graphics/brand-mark.tsx'
import { classNames } from '@fairlot/ui/theme/class-names.ts'
import { Link, useLocation } from '@fairlot/ui/navigation/router.tsx'
import { DemoButton } from '../../features/auth/demo-button.tsx'
import { AccountStrip } from '../../features/trading/account/account-strip.tsx'
import { useIsLoggedIn } from '../../live/device/token.ts'
import { useTabPath } from '../footer-tabs.tsx'
import { AvatarLink, BellLink, SourceChip } from '../main-header.tsx'

const LINKS = [
  { name: 'trade', to: '/', also: ['/trade'] },
  { name: 'orders', to: '/order', also: [] },
  { name: 'ranking', to: '/rank', also: [] },
  { name: 'copying', to: '/rank?tab=copy', also: [] },
  { name: 'news', to: '/news', also: ['/news/detail'] },
  { name: 'funds', to: '/mine/history', also: [] },
] as const

/** The header of the desktop workspace: navigation, account figures, price source. */
export function DesktopHeader() {
  const t = useTranslations()
  const isLoggedIn = useIsLoggedIn()
  return (
    <header className="flex min-h-16 flex-wrap items-center gap-x-5 border-b border-line bg-surface px-5">
      <BrandMark />
      <span className="text-title font-bold">{t('app.name')}</span>
      <nav aria-label={t('tabs.label')} className="ms-2 flex flex-1 gap-1">
        {LINKS.map(({ name, to, also }) => (
          <HeaderLink key={name} to={to} also={also} label={t(`tabs.${name}`)} />
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

function HeaderLink({ to, also, label }: { to: string; also: readonly string[]; label: string }) {
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
