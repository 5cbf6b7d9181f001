import { navigate, useSearchParams } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { ForgotScreen } from '../../features/auth/forgot-screen.tsx'
import { BackHeader } from '../back-header.tsx'
import { pathWithFrom } from '../route-guard.ts'

/** Sets a new password and leads back to the login. */
export function ForgotPage() {
  const t = useTranslations('screens')
  const [query] = useSearchParams()
  return (
    <>
      <BackHeader isNarrow title={t('forgot')} />
      <ForgotScreen onDone={() => navigate(pathWithFrom('login', query.get('from')), { replace: true })} />
    </>
  )
}
