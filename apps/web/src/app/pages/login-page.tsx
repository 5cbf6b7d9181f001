import { Settings2 } from 'lucide-react'
import { Link, navigate, useSearchParams } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { LoginScreen } from '../../features/auth/login-screen.tsx'
import { Icon } from '@fairlot/ui/icon.tsx'
import { iconButtonClass } from '@fairlot/ui/icon-button.tsx'
import { BackHeader } from '../back-header.tsx'
import { pathAfterLogin, pathWithFrom } from '../route-guard.ts'
import { pathOf, routeOf } from '../routes.ts'

/** How the app looks is a visitor's choice too. */
function SettingsLink() {
  const t = useTranslations('screens')
  return (
    <Link to={pathOf('system')} aria-label={t('system')} className={iconButtonClass()}>
      <Icon of={Settings2} />
    </Link>
  )
}

/** Logs in and leads back to where the visitor wanted to go. */
export function LoginPage() {
  const t = useTranslations('screens')
  const [query] = useSearchParams()
  const from = query.get('from')
  const next = pathAfterLogin(from)
  const wanted = from === null ? null : routeOf(next.split('?')[0] ?? '/')
  return (
    <>
      <BackHeader isNarrow title={t('login')} trailing={<SettingsLink />} />
      <LoginScreen
        wanted={wanted && wanted.name !== 'home' ? t(wanted.name) : null}
        registerPath={pathWithFrom('register', from)}
        forgotPath={pathWithFrom('forgot', from)}
        onLoggedIn={() => navigate(next, { replace: true })}
      />
    </>
  )
}
