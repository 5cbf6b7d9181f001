import { lazy, Suspense } from 'react'
import { useTranslations } from 'use-intl'
import { HomeScreen } from '../../features/market/home-screen.tsx'
import { MainHeader } from '../main-header.tsx'
import { AccountCardSkeleton } from '../../features/trading/account/account-card-skeleton.tsx'
import { DemoInvitation } from '../../features/auth/demo-button.tsx'
import { useIsLoggedIn } from '../../live/auth/token.ts'

// A visitor needs none of it.
const AccountCard = lazy(async () => ({
  default: (await import('../../features/trading/account/account-card.tsx')).AccountCard,
}))

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

/** What stands at the top of the markets. */
const AccountOrInvitation = () =>
  useIsLoggedIn() ? (
    <Suspense fallback={<AccountCardSkeleton />}>
      <AccountCard />
    </Suspense>
  ) : (
    <DemoInvitation />
  )
