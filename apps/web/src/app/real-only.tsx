import { BadgeCheck } from 'lucide-react'
import { Link } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { buttonClass } from '@fairlot/ui/button.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { BackHeader } from './back-header.tsx'
import { pathWithFrom } from './route-guard.ts'
import { pathOf } from './routes.ts'
import type { RouteName } from './routes.ts'

/** Tells a demo user that this is for real accounts, and how to come by one. */
export function RealOnly({ name }: { name: RouteName }) {
  const t = useTranslations()
  const path = pathOf(name)
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
