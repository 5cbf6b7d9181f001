import { useNavigate, useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { LoginScreen } from '../../features/session/login-screen.tsx'
import { BackHeader } from '../back-header.tsx'
import { pathAfterLogin } from '../guard.ts'
import { routeOf } from '../routes.ts'

/** Logs in and leads back to where the visitor wanted to go. */
export function LoginPage() {
  const t = useTranslations('screens')
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const next = pathAfterLogin(query.get('from'))
  const wanted = query.has('from') ? routeOf(next.split('?')[0] ?? '/') : null
  return (
    <>
      <BackHeader title={t('login')} />
      <LoginScreen
        wanted={wanted && wanted.name !== 'home' ? t(wanted.name) : null}
        onLoggedIn={() => void navigate(next, { replace: true })}
      />
    </>
  )
}
