import { useTranslations } from 'use-intl'
import { HomeScreen } from '../../features/market/home-screen.tsx'
import { MainHeader } from '../main-header.tsx'
import { AccountOrInvitation } from '../account-or-invitation.tsx'

/** The markets under the account, or under the invitation to try the demo. */
export function HomePage() {
  const t = useTranslations('app')
  return (
    <>
      <MainHeader title={t('name')} />
      <HomeScreen card={<AccountOrInvitation />} />
    </>
  )
}
