import { Settings2 } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { iconButtonClass } from '@fairlot/ui/controls/icon-button.tsx'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { Link, navigate, useSearchParams } from '@fairlot/ui/navigation/router.tsx'
import { LoginScreen } from '../../features/auth/login-screen.tsx'
import { BackHeader } from '../back-header.tsx'
import { pathAfterLogin, pathOf, pathWithFrom, routeOf } from '../routes.ts'

/** Visitors can change the appearance too. */
function SettingsLink() {
  const t = useTranslations('screens')
  return (
    <Link to={pathOf('system')} aria-label={t('system')} className={iconButtonClass()}>
      <Icon of={Settings2} />
    </Link>
  )
}

/** Logs in and leads to the screen the visitor wanted to open. */
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
