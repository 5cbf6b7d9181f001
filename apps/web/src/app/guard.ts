import { aliasOf, pathOf, routeOf } from './routes.ts'

/** Where a visitor is sent who wants `path` (with its query): the login, which leads back afterwards. */
export const loginPath = (wanted: string): string => `${pathOf('login')}?from=${encodeURIComponent(wanted)}`

type Wanted = { pathname: string; search: string }

/** The path to show instead of the wanted one, or null when it may be shown. */
export function redirectOf({ pathname, search }: Wanted, isLoggedIn: boolean): string | null {
  const alias = aliasOf(pathname)
  if (alias !== null) return redirectOf({ pathname: alias, search }, isLoggedIn) ?? alias + search
  return routeOf(pathname)?.needsLogin && !isLoggedIn ? loginPath(pathname + search) : null
}

/**
 * Where to go after the login: the `from` of the query if it is a screen of ours, else home. Anything that a browser
 * could read as another site ("//host", "\\host", "https:") is no screen of ours.
 */
export function pathAfterLogin(from: string | null): string {
  const path = from ?? ''
  const [pathname = ''] = path.split('?')
  const isOurs = /^\/(?![/\\])/.test(path) && (routeOf(pathname) ?? aliasOf(pathname)) !== null
  return isOurs && routeOf(pathname)?.name !== 'login' ? path : pathOf('home')
}
