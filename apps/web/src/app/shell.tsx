import { useLocation } from 'react-router'
import { useMediaQuery } from '../ui/use-media-query.ts'
import { DeskShell } from './desk/desk-shell.tsx'
import { FooterTabs } from './footer-tabs.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { routeOf } from './routes.ts'
import { ScreenHost } from './screen-host.tsx'
import { SkipLink } from './skip-link.tsx'

/** From 64 rem the app is a workspace, below it a phone. */
export const Shell = () => (useMediaQuery('(min-width: 64rem)') ? <DeskShell /> : <PhoneShell />)

function PhoneShell() {
  const { pathname } = useLocation()
  return (
    <div className="flex h-dvh flex-col">
      <SkipLink />
      <OfflineBanner />
      <div className="relative min-h-0 flex-1">
        <ScreenHost />
      </div>
      {routeOf(pathname)?.hasFooter && <FooterTabs />}
    </div>
  )
}
