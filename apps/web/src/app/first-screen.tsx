import { useTranslations } from 'use-intl'
import { DemoInvitation } from '../features/auth/demo-button.tsx'
import { AccountCardSkeleton } from '../features/trading/account/account-card-skeleton.tsx'
import { HomeScreen } from '../features/market/home-screen.tsx'
import { ScrollBox } from '@fairlot/ui/scroll-box.tsx'
import { FooterTabs } from './footer-tabs.tsx'
import { MainHeader } from './main-header.tsx'
import { TradePage } from './pages/trade-page.tsx'

/**
 * The home screen of a phone until the app takes over. Nothing in it can be pressed yet. Whether somebody is logged in only
 * the device knows: `theme.js` says so on the document, and the style sheet shows the card that fits.
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
 * The trade screen of a phone until the app takes over, of the instrument that a first visit shows. Where another is asked for, what is
 * of the instrument stays empty: `data-of`.
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
