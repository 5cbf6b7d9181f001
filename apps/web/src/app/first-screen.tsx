import { useTranslations } from 'use-intl'
import { ScrollBox } from '@fairlot/ui/navigation/scroll-box.tsx'
import { DemoInvitation } from '../features/auth/demo-button.tsx'
import { HomeScreen } from '../features/market/home-screen.tsx'
import { AccountCardSkeleton } from '../features/trading/account/account-card-skeleton.tsx'
import { FooterTabs } from './footer-tabs.tsx'
import { MainHeader } from './main-header.tsx'
import { TradePage } from './pages/trade-page.tsx'

/**
 * The home screen of a phone, rendered by the server and inert until the app takes over. Only the device knows whether a user
 * is logged in: `page/before-paint.js` marks the document, and the style sheet shows the matching card.
 */
export function FirstScreen() {
  const t = useTranslations('app')
  return (
    <div inert data-first-screen="home" className="flex h-dvh flex-col desktop:hidden">
      <div className="relative min-h-0 flex-1">
        <main className="absolute inset-0">
          <ScrollBox>
            <MainHeader title={t('name')} />
            <HomeScreen
              card={
                <>
                  <div data-for="visitor">
                    <DemoInvitation />
                  </div>
                  <div data-for="user">
                    <AccountCardSkeleton />
                  </div>
                </>
              }
            />
          </ScrollBox>
        </main>
      </div>
      <FooterTabs />
    </div>
  )
}

/**
 * The trade screen of a phone until the app takes over, with the instrument of a first visit. If the address names another one,
 * the parts marked `data-of` stay empty.
 */
export function FirstTradeScreen() {
  return (
    <div inert data-first-screen="trade" className="flex h-dvh flex-col desktop:hidden">
      <div className="relative min-h-0 flex-1">
        <main className="absolute inset-0">
          <ScrollBox>
            <TradePage />
          </ScrollBox>
        </main>
      </div>
      <FooterTabs />
    </div>
  )
}
