import { createContext, startTransition, use, useCallback, useEffect, useLayoutEffect, useState } from 'react'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'

/** A path of the app with its query. */
type Address = {
  readonly pathname: string
  /** The query with its question mark, or empty. */
  readonly search: string
}

/** A location in the app: the part of the page's address after the #. */
export type Location = Address & {
  /** The state that the navigation passed; null for a typed address. */
  readonly state: unknown
  /** Unique for every navigation; FIRST_KEY for the entry the page was opened at. */
  readonly key: string
  /** Whether it replaced the previous entry of the browser's history. */
  readonly isReplaced: boolean
}

/** The key of the entry at which the page was opened: going back from it leaves the app. */
export const FIRST_KEY = 'default'

type Entry = { readonly key: string; readonly state: unknown }

/** The browser's current location. */
function locationNow(isReplaced: boolean): Location {
  const [path = ''] = window.location.hash.slice(1).split('#')
  const queryAt = path.indexOf('?')
  const pathname = queryAt < 0 ? path : path.slice(0, queryAt)
  const entry = window.history.state as Entry | null
  return {
    pathname: pathname.startsWith('/') ? pathname : `/${pathname}`,
    search: queryAt < 0 || queryAt === path.length - 1 ? '' : path.slice(queryAt),
    state: entry?.state ?? null,
    key: entry?.key ?? FIRST_KEY,
    isReplaced,
  }
}

/** The path and query of the browser's address, which a transition may not have rendered yet. */
export function currentAddress(): string {
  const { pathname, search } = locationNow(false)
  return pathname + search
}

const isSameAddress = (a: Address, b: Address): boolean => a.pathname === b.pathname && a.search === b.search

/** A path that is only a query keeps the current pathname. */
const addressOf = (to: string, pathname: string): string =>
  to.startsWith('?') ? pathname + (to === '?' ? '' : to) : to

const LocationContext = createContext<Location | null>(null)
const shown = new Set<(isReplaced: boolean) => void>()

/** Sets a fixed location, for rendering without a browser. */
export const StaticLocation = ({ pathname, children }: { pathname: string; children: ReactNode }) => {
  const location = { pathname, search: '', state: null, key: FIRST_KEY, isReplaced: false }
  return <LocationContext value={location}>{children}</LocationContext>
}

/** Provides the location after the # and follows its changes. */
export function HashRouter({ children }: { children: ReactNode }) {
  const [location, setLocation] = useState(() => locationNow(false))
  useLayoutEffect(() => {
    const show = (isReplaced: boolean) => startTransition(() => setLocation(locationNow(isReplaced)))
    const follow = () => show(false)
    shown.add(show)
    window.addEventListener('popstate', follow)
    // The first render may have taken long, and nothing listened until now: the user may have navigated meanwhile.
    setLocation((rendered) => {
      const now = locationNow(false)
      return isSameAddress(now, rendered) ? rendered : now
    })
    return () => {
      shown.delete(show)
      window.removeEventListener('popstate', follow)
    }
  }, [])
  return <LocationContext value={location}>{children}</LocationContext>
}

/** The current location. */
export function useLocation(): Location {
  const location = use(LocationContext)
  if (!location) throw new Error('useLocation needs a HashRouter above it')
  return location
}

type NavigateOptions = {
  /** Replaces the current entry of the browser's history. */
  readonly replace?: boolean
  readonly state?: unknown
  /** Navigates only from this address: an effect may run after the user has left the screen. */
  readonly from?: Address
}

/** Navigates to a path with its query, or a number of entries back (below zero). */
export function navigate(
  to: string | number,
  { replace = false, state = null, from }: NavigateOptions = {},
): void {
  if (typeof to === 'number') return window.history.go(to)
  const now = locationNow(false)
  if (from && !isSameAddress(now, from)) return
  const address = `#${addressOf(to, now.pathname)}`
  const entry: Entry = { key: Math.random().toString(36).slice(2, 10), state }
  if (replace) window.history.replaceState(entry, '', address)
  else window.history.pushState(entry, '', address)
  for (const show of shown) show(replace)
}

/** Redirects from the address at which it is rendered. */
export function Navigate({ to, replace = false }: { to: string; replace?: boolean }) {
  const { pathname, search } = useLocation()
  useEffect(() => {
    if (addressOf(to, pathname) !== pathname + search) navigate(to, { replace, from: { pathname, search } })
  }, [to, replace, pathname, search])
  return null
}

type SetQuery = (query: Readonly<Record<string, string>>, options?: NavigateOptions) => void

/** The query of the current location, and a function that changes it. */
export function useSearchParams(): [URLSearchParams, SetQuery] {
  const { search } = useLocation()
  const set = useCallback<SetQuery>(
    (query, options) => navigate(`?${new URLSearchParams(query).toString()}`, options),
    [],
  )
  return [new URLSearchParams(search), set]
}

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & { to: string; replace?: boolean }

const isForBrowser = ({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent): boolean =>
  button !== 0 || metaKey || altKey || ctrlKey || shiftKey

/** A link to a path of the app. A link to the current location replaces its entry in the history. */
export function Link({ to, replace = false, onClick, children, ...rest }: LinkProps) {
  const { pathname, search } = useLocation()
  const address = addressOf(to, pathname)
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || isForBrowser(event)) return
    event.preventDefault()
    navigate(address, { replace: replace || address === pathname + search })
  }
  return (
    <a {...rest} href={`#${address}`} onClick={follow}>
      {children}
    </a>
  )
}
