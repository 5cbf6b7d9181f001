import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { startLive } from '../live/door.ts'
import { refreshInstruments } from '../live/instruments.ts'
import { forgetLeaving, useHasLeft, useIsLoggedIn } from '../live/token.ts'
import { redirectOf } from './guard.ts'
import { pathOf } from './routes.ts'

const REFRESHING = [pathOf('home'), pathOf('trade')]

/** What every navigation brings: a live connection, and fresh instruments where they are shown. */
export function Navigation() {
  const { pathname, key } = useLocation()
  useEffect(() => {
    forgetLeaving()
    startLive()
    if (REFRESHING.includes(pathname)) refreshInstruments()
  }, [pathname, key])
  return null
}

/** Where this path leads instead, or null when it may be shown. Who logs out goes home, not back to the login. */
export function useRedirect(): string | null {
  const { pathname, search } = useLocation()
  const hasLeft = useHasLeft()
  const redirect = redirectOf({ pathname, search }, useIsLoggedIn())
  return redirect !== null && hasLeft ? pathOf('home') : redirect
}
