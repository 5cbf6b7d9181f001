import { Activity, Suspense, useLayoutEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { ScrollBox } from '../ui/scroll-box.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { useRedirect } from './navigation.tsx'
import { routeOf } from './routes.ts'
import type { Route, RouteName } from './routes.ts'
import { ScreenSkeleton } from './screen-skeleton.tsx'
import { screenOf } from './screens.tsx'

/** Kept screens that were visited, in the order of their first visit. */
function useVisited(route: Route | null): readonly RouteName[] {
  const [visited, setVisited] = useState<readonly RouteName[]>([])
  if (!route?.isKept || visited.includes(route.name)) return visited
  const next = [...visited, route.name]
  setVisited(next)
  return next
}

/** Shows the screen of the current path; kept ones stay behind with their state and their own scroll box. */
export function ScreenHost() {
  const { pathname } = useLocation()
  const redirect = useRedirect()
  const route = redirect === null ? routeOf(pathname) : null
  const visited = useVisited(route)
  return (
    <>
      {redirect !== null && <Navigate to={redirect} replace />}
      {visited.map((name) => (
        <Activity key={name} mode={name === route?.name ? 'visible' : 'hidden'}>
          <Screen>{screenOf(name)}</Screen>
        </Activity>
      ))}
      {redirect === null && !route?.isKept && <Screen key={pathname}>{screenOf(route?.name ?? null)}</Screen>}
    </>
  )
}

function Screen({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLElement>(null)
  const { key } = useLocation()
  useLayoutEffect(() => {
    for (const box of frame.current?.querySelectorAll('[data-scroll-box]') ?? []) box.scrollTo(0, 0)
  }, [key])
  return (
    <main ref={frame} tabIndex={-1} className="absolute inset-0 outline-none">
      <ScrollBox>
        <ErrorBoundary>
          <Suspense fallback={<ScreenSkeleton />}>{children}</Suspense>
        </ErrorBoundary>
      </ScrollBox>
    </main>
  )
}
