import { aliasOf, pathOf, routeOf } from './routes.ts'
import type { RouteName } from './routes.ts'

/** Screens that lead in: none of them is a place to come back to. */
const ENTRIES: readonly (RouteName | undefined)[] = ['login', 'register', 'forgot']

/** Whether a path is one of the ways in. */
export const isEntry = (pathname: string): boolean => ENTRIES.includes(routeOf(pathname)?.name)

/** A way in that leads on to `from` (a path with its query) afterwards; null: to the start. */
export const pathWithFrom = (name: 'login' | 'register' | 'forgot', from: string | null): string =>
  from === null ? pathOf(name) : `${pathOf(name)}?from=${encodeURIComponent(from)}`

type Wanted = { pathname: string; search: string }

/** The path to show instead of the wanted one, or null when it may be shown. */
export function redirectOf({ pathname, search }: Wanted, isLoggedIn: boolean): string | null {
  const alias = aliasOf(pathname)
  if (alias !== null) return redirectOf({ pathname: alias, search }, isLoggedIn) ?? alias + search
  return routeOf(pathname)?.needsLogin && !isLoggedIn ? pathWithFrom('login', pathname + search) : null
}

/**
 * Where to go after the login: the `from` of the query if it is a screen of ours, else home. Anything that a browser
 * could read as another site ("//host", "\\host", "https:") is no screen of ours.
 */
export function pathAfterLogin(from: string | null): string {
  const path = from ?? ''
  const [pathname = ''] = path.split('?')
  const isOurs = /^\/(?![/\\])/.test(path) && (routeOf(pathname) ?? aliasOf(pathname)) !== null
  return isOurs && !isEntry(pathname) ? path : pathOf('home')
}
