import { navigate } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { PasswordScreen } from '../../features/auth/security/password-screen.tsx'
import { BackHeader } from '../back-header.tsx'
import { pathOf } from '../routes.ts'

export function PasswordPage() {
  const t = useTranslations('screens')
  return (
    <>
      <BackHeader isNarrow title={t('password')} />
      <PasswordScreen onDone={() => navigate(pathOf('user'), { replace: true })} />
    </>
  )
}
