import { BadgeCheck, KeyRound } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { buttonClass } from '@fairlot/ui/controls/button.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { Link, useLocation } from '@fairlot/ui/navigation/router.tsx'
import { useHasSessionEnded } from '../live/device/token.ts'
import { BackHeader } from './back-header.tsx'
import { pathWithFrom, type RouteName } from './routes.ts'

/** Shown to a visitor in place of a screen for users. */
export function LoginRequired({ name }: { name: RouteName }) {
  const t = useTranslations()
  const hasEnded = useHasSessionEnded()
  const { pathname, search } = useLocation()
  return (
    <>
      <BackHeader title={t(`screens.${name}`)} />
      <EmptyState
        icon={KeyRound}
        title={t('auth.required', { screen: t(`screens.${name}`) })}
        {...(hasEnded && { text: t('app.sessionEnded') })}
        action={
          <Link to={pathWithFrom('login', pathname + search)} className={buttonClass()}>
            {t('account.logIn')}
          </Link>
        }
      />
    </>
  )
}

/** Shown to a demo user in place of a screen for real accounts. */
export function RealAccountRequired({ name }: { name: RouteName }) {
  const t = useTranslations()
  const { pathname, search } = useLocation()
  const path = pathname + search
  return (
    <>
      <BackHeader title={t(`screens.${name}`)} />
      <EmptyState
        icon={BadgeCheck}
        title={t('auth.realOnly', { screen: t(`screens.${name}`) })}
        text={t('auth.realOnlyText')}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Link to={pathWithFrom('register', path)} className={buttonClass()}>
              {t('auth.register')}
            </Link>
            <Link to={pathWithFrom('login', path)} className={buttonClass('outline')}>
              {t('auth.logIn')}
            </Link>
          </div>
        }
      />
    </>
  )
}
