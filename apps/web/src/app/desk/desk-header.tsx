import { Link, useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { AccountStrip } from '../../features/trading/account/account-strip.tsx'
import { DemoButton } from '../../features/session/demo-button.tsx'
import { useIsLoggedIn } from '../../live/token.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'
import { classNames } from '../../ui/class-names.ts'
import { AvatarLink } from '../main-header.tsx'
import { SourceChip } from '../source-chip.tsx'

const LINKS = [
  { name: 'trade', to: '/', also: ['/trade', '/order'] },
  { name: 'rank', to: '/rank', also: [] },
  { name: 'news', to: '/news', also: ['/news/detail'] },
  { name: 'history', to: '/mine/history', also: [] },
] as const

/** The head of the workspace: where one is, how the account stands, where prices come from. */
export function DeskHeader() {
  const t = useTranslations()
  const isLoggedIn = useIsLoggedIn()
  return (
    <header className="flex min-h-16 items-center gap-5 border-b border-line bg-surface px-5">
      <BrandMark />
      <span className="text-title font-bold">{t('app.name')}</span>
      <nav aria-label={t('tabs.label')} className="ms-2 flex flex-1 gap-1">
        {LINKS.map(({ name, to, also }) => (
          <DeskLink key={name} to={to} also={also} label={t(`screens.${name}`)} />
        ))}
      </nav>
      {isLoggedIn ? <AccountStrip /> : <DemoButton size="small" />}
      <SourceChip />
      <AvatarLink />
    </header>
  )
}

function DeskLink({ to, also, label }: { to: string; also: readonly string[]; label: string }) {
  const { pathname } = useLocation()
  const isCurrent = pathname === to || also.includes(pathname)
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
