import { lazy, Suspense, useEffect } from 'react'
import { useLocation } from '@fairlot/ui/router.tsx'
import { useIsLoggedIn } from '../live/auth/token.ts'
import { useMediaQuery } from '@fairlot/ui/use-media-query.ts'
import { DocumentTitle } from './document-settings.tsx'
import { FooterTabs } from './footer-tabs.tsx'
import { OfflineBanner, PausedBanner, RestrictedBanner } from './status-banners.tsx'
import { routeOf } from './routes.ts'
import { ScreenHost } from './screen-host.tsx'
import { loadMoreScreens, useOrdersAhead } from './screens.tsx'
import { useTranslations } from 'use-intl'

const DesktopHeader = lazy(async () => ({
  default: (await import('./desktop/desktop-header.tsx')).DesktopHeader,
}))

/** From 64 rem the app is a workspace, below it a phone. The screens live through a change of the width. */
export function Shell() {
  const isWide = useMediaQuery('(min-width: 64rem)')
  useEffect(() => {
    addEventListener('pointerdown', loadMoreScreens, { once: true })
    return () => removeEventListener('pointerdown', loadMoreScreens)
  }, [])
  return (
    <div className="flex h-dvh flex-col pr-[env(safe-area-inset-right)] pl-[env(safe-area-inset-left)]">
      <DocumentTitle />
      <SkipLink />
      <OfflineBanner />
      <PausedBanner />
      <RestrictedBanner />
      {isWide && (
        <Suspense fallback={<div className="min-h-16 bg-surface" />}>
          <DesktopHeader />
        </Suspense>
      )}
      <div className="relative min-h-0 flex-1">
        <ScreenHost isWide={isWide} />
      </div>
      {!isWide && <PhoneFooter />}
    </div>
  )
}

function PhoneFooter() {
  const { pathname } = useLocation()
  useOrdersAhead(useIsLoggedIn())
  return routeOf(pathname)?.hasFooter && <FooterTabs />
}

/** Lets the keyboard jump over the head to the screen. A button, because the hash belongs to the router. */
function SkipLink() {
  const t = useTranslations('app')
  return (
    <button
      type="button"
      onClick={focusScreen}
      className="sr-only z-50 rounded-button bg-ink px-4 py-3 text-on-ink focus:not-sr-only focus:fixed focus:start-2 focus:top-2"
    >
      {t('skip')}
    </button>
  )
}

/** Screens that are kept stay in the page unseen; the one that is seen takes the focus. */
function focusScreen(): void {
  const screens = [...document.querySelectorAll<HTMLElement>('main')]
  screens.find((screen) => screen.checkVisibility())?.focus()
}
