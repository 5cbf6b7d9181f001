import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { refreshInstruments } from '../live/instruments.ts'
import { startLive } from '../live/door.ts'
import { useIsLoggedIn } from '../live/token.ts'
import { redirectOf } from './guard.ts'
import { pathOf } from './routes.ts'

const REFRESHING = [pathOf('home'), pathOf('trade')]

/** What every navigation brings: the guard, a live connection, and fresh instruments where they are shown. */
export function Guard({ children }: { children: ReactNode }) {
  const { pathname, search, key } = useLocation()
  const redirect = redirectOf({ pathname, search }, useIsLoggedIn())
  useEffect(() => {
    startLive()
    if (REFRESHING.includes(pathname)) refreshInstruments()
  }, [pathname, key])
  return redirect === null ? children : <Navigate to={redirect} replace />
}
