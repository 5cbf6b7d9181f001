import { useTranslations } from 'use-intl'
import { ResetDemo } from '../../features/trading/account/reset-demo.tsx'
import { AccountSummary } from '../../features/trading/account/account-summary.tsx'
import { UserScreen } from '../../features/user/user-screen.tsx'
import { SmallPart } from '@fairlot/ui/feedback/boundary.tsx'
import { lazyWithMessages } from '../lazy-with-messages.tsx'
import { MainHeader } from '../main-header.tsx'

const CopiesEquity = lazyWithMessages(
  'copying',
  async () => (await import('../../features/copying/copies-equity.tsx')).CopiesEquity,
)

export function UserPage() {
  const t = useTranslations('screens')
  return (
    <>
      <MainHeader title={t('user')} />
      <UserScreen
        account={
          <>
            <AccountSummary />
            <SmallPart>
              <CopiesEquity />
            </SmallPart>
          </>
        }
        reset={<ResetDemo />}
      />
    </>
  )
}
