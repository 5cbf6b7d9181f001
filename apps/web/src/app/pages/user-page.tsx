import { useTranslations } from 'use-intl'
import { ResetDemo } from '../../features/trading/account/reset-demo.tsx'
import { AccountSummary } from '../../features/trading/account/account-summary.tsx'
import { UserScreen } from '../../features/user/user-screen.tsx'
import { MainHeader } from '../main-header.tsx'

export function UserPage() {
  const t = useTranslations('screens')
  return (
    <>
      <MainHeader title={t('user')} />
      <UserScreen account={<AccountSummary />} reset={<ResetDemo />} />
    </>
  )
}
