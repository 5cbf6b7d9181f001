import { useEffect, useLayoutEffect } from 'react'
import { FIRST_KEY, useLocation, navigate } from '@fairlot/ui/navigation/router.tsx'
import { loadAccount } from '../live/account/load.ts'
import { forgetLogOutAddress, useLogOutAddress, useIsLoggedIn } from '../live/device/token.ts'
import { ensureConnected } from '../live/connection/server-connection.ts'
import {
  isListOfPage,
  refreshInstruments,
  useInstruments,
  useSelectedInstrument,
} from '../live/market/instruments.ts'
import { codeIn, selectInstrument, tradePath } from '../live/market/selected-instrument.ts'
import { rememberScreen } from './last-screen.ts'
import { pathOf, redirectOf, routeOf } from './routes.ts'

const REFRESHED_PATHS = [pathOf('home'), pathOf('trade')]

/** State of a replaced entry that only completes the address with the instrument; it is not a navigation. */
const ADDRESS_COMPLETED = { isCompleted: true }

/** On every navigation, ensures a live connection and reloads the instruments where they are shown. */
export function Navigation() {
  const { pathname, key, state, isReplaced } = useLocation()
  const isSamePlace = isReplaced && (state as typeof ADDRESS_COMPLETED | null)?.isCompleted === true
  useEffect(() => {
    if (isSamePlace) return
    forgetLogOutAddress()
    rememberScreen(pathname)
    ensureConnected()
    void loadAccount()
    // The list that came with the page is up to date on the first screen.
    if (REFRESHED_PATHS.includes(pathname) && !(key === FIRST_KEY && isListOfPage())) refreshInstruments()
  }, [pathname, key, isSamePlace])
  useTradeAddress()
  return null
}

/** Keeps the selected instrument and the address of the trade screen in sync, for links and for the back button. */
function useTradeAddress(): void {
  const location = useLocation()
  const { pathname, search } = location
  const { instruments } = useInstruments()
  const selected = useSelectedInstrument()?.code
  const isTrade = routeOf(pathname)?.name === 'trade'
  const codes = instruments?.map(({ code }) => code)
  const codeInAddress = codes ? codeIn(search, codes) : null
  // On every navigation, even to the same address: a tapped row selects at once, and going back before its screen is rendered
  // never changes the address.
  useLayoutEffect(() => {
    if (isTrade && codeInAddress !== null) selectInstrument(codeInAddress)
  }, [isTrade, codeInAddress, location])
  const completed = isTrade && codeInAddress === null && selected !== undefined ? tradePath(selected) : null
  useEffect(() => {
    if (completed === null || completed === pathname + search) return
    navigate(completed, { replace: true, state: ADDRESS_COMPLETED, from: { pathname, search } })
  }, [completed, pathname, search])
}

/** The path to redirect to, or null when the current one may be shown. Logging out leads home, not to the log-in. */
export function useRedirect(): string | null {
  const { pathname, search } = useLocation()
  const logOutAddress = useLogOutAddress()
  const redirect = redirectOf({ pathname, search }, useIsLoggedIn())
  return redirect !== null && logOutAddress === pathname + search ? pathOf('home') : redirect
}
