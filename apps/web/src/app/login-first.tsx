import { KeyRound } from 'lucide-react'
import { Link } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { buttonClass } from '@fairlot/ui/button.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { BackHeader } from './back-header.tsx'
import { pathWithFrom } from './route-guard.ts'
import { pathOf } from './routes.ts'
import type { RouteName } from './routes.ts'

/** Tells a visitor that this is for users. */
export function LoginFirst({ name }: { name: RouteName }) {
  const t = useTranslations()
  return (
    <>
      <BackHeader title={t(`screens.${name}`)} />
      <EmptyState
        icon={KeyRound}
        title={t('auth.required', { screen: t(`screens.${name}`) })}
        action={
          <Link to={pathWithFrom('login', pathOf(name))} className={buttonClass()}>
            {t('account.logIn')}
          </Link>
        }
      />
    </>
  )
}
