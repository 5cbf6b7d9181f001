import { KeyRound } from 'lucide-react'
import { Link } from 'react-router'
import { useTranslations } from 'use-intl'
import { buttonClass } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { loginPath } from './guard.ts'
import { pathOf } from './routes.ts'
import type { RouteName } from './routes.ts'

/** For screens that are not guarded by the table but have nothing to show a visitor. */
export function LoginFirst({ name }: { name: RouteName }) {
  const t = useTranslations()
  return (
    <EmptyState
      icon={KeyRound}
      title={t('session.required', { screen: t(`screens.${name}`) })}
      action={
        <Link to={loginPath(pathOf(name))} className={buttonClass()}>
          {t('account.logIn')}
        </Link>
      }
    />
  )
}
