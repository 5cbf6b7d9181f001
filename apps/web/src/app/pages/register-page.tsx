import { navigate, useSearchParams } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { RegisterScreen } from '../../features/auth/register-screen.tsx'
import { BackHeader } from '../back-header.tsx'
import { pathAfterLogin, pathWithFrom } from '../route-guard.ts'

/** Opens a real account and leads on to where the visitor wanted to go. */
export function RegisterPage() {
  const t = useTranslations('screens')
  const [query] = useSearchParams()
  const from = query.get('from')
  return (
    <>
      <BackHeader isNarrow title={t('register')} />
      <RegisterScreen
        inviteCode={query.get('invite_code') ?? ''}
        loginPath={pathWithFrom('login', from)}
        onRegistered={() => navigate(pathAfterLogin(from), { replace: true })}
      />
    </>
  )
}
