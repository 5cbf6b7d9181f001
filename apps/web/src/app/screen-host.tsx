import { Activity, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { Navigate, useLocation } from '@fairlot/ui/navigation/router.tsx'
import { ScrollBox, useScrollToTop } from '@fairlot/ui/navigation/scroll-box.tsx'
import { ErrorBoundary, ScreenSkeleton } from './error-boundary.tsx'
import { useRedirect } from './navigation.tsx'
import { type Route, type RouteName, routeOf } from './routes.ts'
import { screenOf, Workspace } from './screens.tsx'

/** On the desktop, markets, chart, orders and ticket are one screen. */
const IN_WORKSPACE: readonly (RouteName | undefined)[] = ['home', 'trade', 'order']

type KeptScreen = RouteName | 'workspace'

/** The kept screen that a route shows, or null for one that starts fresh with every visit. */
function keptScreenOf(route: Route | null, isWide: boolean): KeptScreen | null {
  if (isWide && IN_WORKSPACE.includes(route?.name)) return 'workspace'
  return route?.isKept ? route.name : null
}

/** The kept screens visited so far, in the order of their first visit. */
function useVisited(kept: KeptScreen | null): readonly KeptScreen[] {
  const [visited, setVisited] = useState<readonly KeptScreen[]>([])
  if (kept === null || visited.includes(kept)) return visited
  const next = [...visited, kept]
  setVisited(next)
  return next
}

/** Shows the screen of the current path; kept ones stay mounted with their state, also when the window's width changes. */
export function ScreenHost({ isWide }: { isWide: boolean }) {
  const { pathname } = useLocation()
  const redirect = useRedirect()
  const route = redirect === null ? routeOf(pathname) : null
  const kept = keptScreenOf(route, isWide)
  const visited = useVisited(kept)
  return (
    <>
      {redirect !== null && <Navigate to={redirect} replace />}
      {visited.map((name) => (
        <Activity key={name} mode={name === kept ? 'visible' : 'hidden'}>
          {name === 'workspace' ? (
            <ErrorBoundary>
              <Suspense fallback={<ScreenSkeleton />}>
                <Workspace />
              </Suspense>
            </ErrorBoundary>
          ) : (
            <Screen>{screenOf(name)}</Screen>
          )}
        </Activity>
      ))}
      {redirect === null && kept === null && <Screen key={pathname}>{screenOf(route?.name ?? null)}</Screen>}
    </>
  )
}

function Screen({ children }: { children: ReactNode }) {
  return (
    <main ref={useScrollToTop()} tabIndex={-1} className="absolute inset-0 outline-none">
      <ScrollBox>
        <ErrorBoundary>
          <Suspense fallback={<ScreenSkeleton />}>{children}</Suspense>
        </ErrorBoundary>
      </ScrollBox>
    </main>
  )
}
