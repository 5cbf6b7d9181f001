import { lazy } from 'react'
import { useTranslations } from 'use-intl'
import { DemoInvitation } from '../../features/auth/demo-button.tsx'
import { HomeScreen } from '../../features/market/home-screen.tsx'
import { AccountCardSkeleton } from '../../features/trading/account/account-card-skeleton.tsx'
import { useIsLoggedIn } from '../../live/device/token.ts'
import { SmallPart } from '@fairlot/ui/feedback/boundary.tsx'
import { MainHeader } from '../main-header.tsx'

// Loaded lazily: a visitor does not need it.
const AccountCard = lazy(async () => ({
  default: (await import('../../features/trading/account/account-card.tsx')).AccountCard,
}))

/** The markets below the account card, or below the invitation to try the demo. */
export function HomePage() {
  const t = useTranslations('app')
  return (
    <>
      <MainHeader title={t('name')} />
      <HomeScreen card={<AccountOrInvitation />} />
    </>
  )
}

const AccountOrInvitation = () =>
  useIsLoggedIn() ? (
    <SmallPart loading={<AccountCardSkeleton />}>
      <AccountCard />
    </SmallPart>
  ) : (
    <DemoInvitation />
  )
