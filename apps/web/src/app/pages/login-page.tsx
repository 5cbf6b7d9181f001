import { useNavigate, useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { LoginScreen } from '../../features/session/login-screen.tsx'
import { BackHeader } from '../back-header.tsx'
import { pathAfterLogin, pathWithFrom } from '../guard.ts'
import { routeOf } from '../routes.ts'

/** Logs in and leads back to where the visitor wanted to go. */
export function LoginPage() {
  const t = useTranslations('screens')
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const from = query.get('from')
  const next = pathAfterLogin(from)
  const wanted = from === null ? null : routeOf(next.split('?')[0] ?? '/')
  return (
    <>
      <BackHeader isNarrow title={t('login')} />
      <LoginScreen
        wanted={wanted && wanted.name !== 'home' ? t(wanted.name) : null}
        registerPath={pathWithFrom('register', from)}
        forgotPath={pathWithFrom('forgot', from)}
        onLoggedIn={() => void navigate(next, { replace: true })}
      />
    </>
  )
}
