import { createContext, startTransition, use, useCallback, useEffect, useLayoutEffect, useState } from 'react'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'

/** A place of the app: what stands behind the # of the page's address. */
export type Location = {
  readonly pathname: string
  /** The query with its question mark, or nothing. */
  readonly search: string
  /** What the navigation brought along; null for a link that was typed. */
  readonly state: unknown
  /** Another for every navigation; FIRST_KEY where the page was opened. */
  readonly key: string
  /** Whether this place took the one of another in the browser's history. */
  readonly isReplaced: boolean
}

/** The key of the place at which the page was opened: there is no way back from it within the app. */
export const FIRST_KEY = 'default'

type Entry = { readonly key: string; readonly state: unknown }

/** Where the browser is now. */
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

/** A path that is only a query means the place where one is. */
const addressOf = (to: string, pathname: string): string =>
  to.startsWith('?') ? pathname + (to === '?' ? '' : to) : to

const LocationContext = createContext<Location | null>(null)
const shown = new Set<(isReplaced: boolean) => void>()

/** Where everything below is. Stands alone where there is no browser to ask. */
export const At = ({ pathname, children }: { pathname: string; children: ReactNode }) => {
  const location = { pathname, search: '', state: null, key: FIRST_KEY, isReplaced: false }
  return <LocationContext value={location}>{children}</LocationContext>
}

/** Follows the address behind the #. */
export function HashRouter({ children }: { children: ReactNode }) {
  const [location, setLocation] = useState(() => locationNow(false))
  useLayoutEffect(() => {
    const show = (isReplaced: boolean) => startTransition(() => setLocation(locationNow(isReplaced)))
    const follow = () => show(false)
    shown.add(show)
    window.addEventListener('popstate', follow)
    // Until now nobody listened, and the first drawing may have waited for much: a link may have been followed meanwhile.
    setLocation((drawn) => {
      const now = locationNow(false)
      return now.pathname === drawn.pathname && now.search === drawn.search ? drawn : now
    })
    return () => {
      shown.delete(show)
      window.removeEventListener('popstate', follow)
    }
  }, [])
  return <LocationContext value={location}>{children}</LocationContext>
}

/** The place that is shown. */
export function useLocation(): Location {
  const location = use(LocationContext)
  if (!location) throw new Error('useLocation needs a HashRouter above it')
  return location
}

type NavigateOptions = {
  /** Takes the place of the present one in the browser's history. */
  readonly replace?: boolean
  readonly state?: unknown
}

/** Leads to a path with its query, or so many places back (below zero). */
export function navigate(to: string | number, { replace = false, state = null }: NavigateOptions = {}): void {
  if (typeof to === 'number') return window.history.go(to)
  const address = `#${addressOf(to, locationNow(false).pathname)}`
  const entry: Entry = { key: Math.random().toString(36).slice(2, 10), state }
  if (replace) window.history.replaceState(entry, '', address)
  else window.history.pushState(entry, '', address)
  for (const show of shown) show(replace)
}

/** Leads on as soon as it is drawn. */
export function Navigate({ to, replace = false }: { to: string; replace?: boolean }) {
  useEffect(() => navigate(to, { replace }), [to, replace])
  return null
}

type SetQuery = (query: Readonly<Record<string, string>>, options?: NavigateOptions) => void

/** The query of the place that is shown, and how to change it. */
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

/** Leads to a path of the app. To the very place that is shown it leads anew, but not twice in the history. */
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
