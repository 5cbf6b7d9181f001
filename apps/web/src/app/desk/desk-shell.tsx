import { useLocation } from 'react-router'
import { OfflineBanner } from '../offline-banner.tsx'
import { PausedBanner } from '../paused-banner.tsx'
import { useRedirect } from '../navigation.tsx'
import { routeOf } from '../routes.ts'
import { ScreenHost } from '../screen-host.tsx'
import { SkipLink } from '../skip-link.tsx'
import { DeskHeader } from './desk-header.tsx'
import { Workspace } from './workspace.tsx'

/** Markets, chart, orders and ticket are one screen here; the others open in its place. */
const WORKSPACE = ['home', 'trade', 'order']

export function DeskShell() {
  const { pathname } = useLocation()
  const name = useRedirect() === null ? routeOf(pathname)?.name : undefined
  return (
    <div className="flex h-dvh flex-col">
      <SkipLink />
      <OfflineBanner />
      <PausedBanner />
      <DeskHeader />
      <div className="relative min-h-0 flex-1">
        {name && WORKSPACE.includes(name) ? <Workspace /> : <ScreenHost />}
      </div>
    </div>
  )
}
