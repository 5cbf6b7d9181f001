import { useEffect, useLayoutEffect } from 'react'
import { FIRST_KEY, useLocation, navigate } from '@fairlot/ui/router.tsx'
import { loadAccount } from '../live/account/load.ts'
import { ensureConnected } from '../live/connection/server-connection.ts'
import {
  isListOfPage,
  refreshInstruments,
  useInstruments,
  useSelectedInstrument,
} from '../live/market/instruments.ts'
import { selectInstrument } from '../live/market/selected-instrument.ts'
import { forgetLeaving, useHasLeft, useIsLoggedIn } from '../live/auth/token.ts'
import { codeIn, tradePath } from '../live/trade-path.ts'
import { redirectOf } from './route-guard.ts'
import { pathOf, routeOf } from './routes.ts'

const REFRESHING = [pathOf('home'), pathOf('trade')]

/** The same place under its full name is no navigation. */
const NAMED = { isNamed: true }

/** What every navigation brings: a live connection, and fresh instruments where they are shown. */
export function Navigation() {
  const { pathname, key, state, isReplaced } = useLocation()
  const isSamePlace = isReplaced && (state as typeof NAMED | null)?.isNamed === true
  useEffect(() => {
    if (isSamePlace) return
    forgetLeaving()
    ensureConnected()
    void loadAccount()
    // The list that came with the page is as new as the page.
    if (REFRESHING.includes(pathname) && !(key === FIRST_KEY && isListOfPage())) refreshInstruments()
  }, [pathname, key, isSamePlace])
  useTradeAddress()
  return null
}

/** Keeps the instrument and the address of the trade screen the same, so that it can be linked, and back leads through instruments. */
function useTradeAddress(): void {
  const location = useLocation()
  const { pathname, search } = location
  const { instruments } = useInstruments()
  const selected = useSelectedInstrument()?.code
  const isTrade = routeOf(pathname)?.name === 'trade'
  const codes = instruments?.map(({ code }) => code)
  const named = codes ? codeIn(search, codes) : null
  // With every navigation, also one to the same address: a row selects when it is tapped, and who goes back before its screen is drawn has never
  // left the address.
  useLayoutEffect(() => {
    if (isTrade && named !== null) selectInstrument(named)
  }, [isTrade, named, location])
  const isUnnamed = isTrade && named === null && selected !== undefined
  useEffect(() => {
    if (isUnnamed) navigate(tradePath(selected), { replace: true, state: NAMED })
  }, [isUnnamed, selected])
}

/** Where this path leads instead, or null when it may be shown. Who logs out goes home, not back to the login. */
export function useRedirect(): string | null {
  const { pathname, search } = useLocation()
  const hasLeft = useHasLeft()
  const redirect = redirectOf({ pathname, search }, useIsLoggedIn())
  return redirect !== null && hasLeft ? pathOf('home') : redirect
}
