import { lazy, Suspense } from 'react'
import { useLocation } from 'react-router'
import { useIsLoggedIn } from '../live/token.ts'
import { useMediaQuery } from '../ui/use-media-query.ts'
import { DocumentTitle } from './document-title.tsx'
import { FooterTabs } from './footer-tabs.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { PausedBanner } from './paused-banner.tsx'
import { routeOf } from './routes.ts'
import { ScreenHost } from './screen-host.tsx'
import { useOrdersAhead } from './screens.tsx'
import { ScreenSkeleton } from './screen-skeleton.tsx'
import { SkipLink } from './skip-link.tsx'

const DeskShell = lazy(async () => ({ default: (await import('./desk/desk-shell.tsx')).DeskShell }))

/** From 64 rem the app is a workspace, below it a phone. */
export function Shell() {
  const isWide = useMediaQuery('(min-width: 64rem)')
  return (
    <>
      <DocumentTitle />
      {isWide ? (
        <Suspense fallback={<ScreenSkeleton />}>
          <DeskShell />
        </Suspense>
      ) : (
        <PhoneShell />
      )}
    </>
  )
}

function PhoneShell() {
  const { pathname } = useLocation()
  useOrdersAhead(useIsLoggedIn())
  return (
    <div className="flex h-dvh flex-col">
      <SkipLink />
      <OfflineBanner />
      <PausedBanner />
      <div className="relative min-h-0 flex-1">
        <ScreenHost />
      </div>
      {routeOf(pathname)?.hasFooter && <FooterTabs />}
    </div>
  )
}
