import { type Access, ACCESS } from '@fairlot/contract'

/** A screen of the product and how it behaves. */
export type Route = {
  readonly name: RouteName
  readonly path: string
  /** Who may see it, from the table that the server enforces too. */
  readonly access: Access
  /** Redirects visitors to the log-in and back; other screens show them a link to it. */
  readonly needsLogin?: true
  /** Keeps its state and scroll position when left. */
  readonly isKept?: true
  /** Shows the tab bar at the bottom. */
  readonly hasFooter?: true
}

const table = {
  home: { path: '/', access: ACCESS.market, isKept: true, hasFooter: true },
  trade: { path: '/trade', access: ACCESS.market, isKept: true, hasFooter: true },
  order: { path: '/order', access: ACCESS.trading, needsLogin: true, isKept: true, hasFooter: true },
  user: { path: '/user', access: ACCESS.session, needsLogin: true, isKept: true, hasFooter: true },
  news: { path: '/news', access: ACCESS.information, isKept: true, hasFooter: true },
  newsDetail: { path: '/news/detail', access: ACCESS.information },
  rank: { path: '/rank', access: ACCESS.market, isKept: true, hasFooter: true },
  strategy: { path: '/rank/strategy', access: ACCESS.market },
  method: { path: '/rank/method', access: ACCESS.market },
  startCopy: { path: '/rank/start', access: ACCESS.trading },
  copy: { path: '/rank/copy', access: ACCESS.trading },
  feedback: { path: '/feedback', access: ACCESS.information },
  login: { path: '/login', access: ACCESS.signUp },
  register: { path: '/register', access: ACCESS.signUp },
  forgot: { path: '/forgot', access: ACCESS.signUp },
  product: { path: '/product', access: ACCESS.market },
  auth: { path: '/mine/auth', access: ACCESS.identity },
  invite: { path: '/mine/invite', access: ACCESS.invite },
  email: { path: '/mine/email', access: ACCESS.information },
  announcement: { path: '/mine/announcement', access: ACCESS.information },
  terms: { path: '/mine/terms', access: ACCESS.market },
  password: { path: '/mine/password', access: ACCESS.password },
  history: { path: '/mine/history', access: ACCESS.funds },
  activity: { path: '/mine/activity', access: ACCESS.session, needsLogin: true },
  data: { path: '/mine/data', access: ACCESS.session, needsLogin: true },
  notices: { path: '/mine/notices', access: ACCESS.session, needsLogin: true },
  charge: { path: '/mine/charge', access: ACCESS.charge },
  withdraw: { path: '/mine/withdraw', access: ACCESS.withdraw },
  chat: { path: '/mine/chat', access: ACCESS.information },
  reportText: { path: '/mine/text', access: ACCESS.information },
  system: { path: '/mine/system', access: ACCESS.information },
  wallet: { path: '/mine/wallet', access: ACCESS.wallet },
  bankCardList: { path: '/mine/bank-card-list', access: ACCESS.wallet },
  coinAddressList: { path: '/mine/coin-address-list', access: ACCESS.wallet },
  withdrawWay: { path: '/mine/withdraw-way', access: ACCESS.wallet },
  ownStrategy: { path: '/mine/strategy', access: ACCESS.trading },
  language: { path: '/language', access: ACCESS.information },
} as const satisfies Record<string, Omit<Route, 'name'>>

export type RouteName = keyof typeof table

export const ROUTES: readonly Route[] = Object.entries(table).map(([name, route]) => ({
  name: name as RouteName,
  ...route,
}))

/** Alternative paths of screens. */
const ALIASES: Record<string, string> = { '/mine': '/user' }

const trimmed = (path: string): string => (path.length > 1 ? path.replace(/\/+$/, '') || '/' : path)

/** The path behind an alternative path, or null when it is none. */
export const aliasOf = (path: string): string | null => ALIASES[trimmed(path)] ?? null

/** The screen of a path, or null when there is none. A trailing slash is ignored. */
export const routeOf = (path: string): Route | null =>
  ROUTES.find((route) => route.path === trimmed(path)) ?? null

/** Who may see a screen. */
export const accessOf = (name: RouteName): Access => table[name].access

/** The path of a screen. */
export const pathOf = (name: RouteName): string => table[name].path

/** The screens for logging in and registering, to which a log-in never returns. */
const ENTRY_SCREENS: readonly (RouteName | undefined)[] = ['login', 'register', 'forgot']

/** Whether a path is the log-in, the registration or the forgotten password. */
export const isEntry = (pathname: string): boolean => ENTRY_SCREENS.includes(routeOf(pathname)?.name)

/** The path of an entry screen that returns to `from` (a path with its query) afterwards; null: to the home screen. */
export const pathWithFrom = (name: 'login' | 'register' | 'forgot', from: string | null): string =>
  from === null ? pathOf(name) : `${pathOf(name)}?from=${encodeURIComponent(from)}`

type WantedPlace = { pathname: string; search: string }

/** The path to show instead of the wanted one, or null when it may be shown. */
export function redirectOf({ pathname, search }: WantedPlace, isLoggedIn: boolean): string | null {
  const alias = aliasOf(pathname)
  if (alias !== null) return redirectOf({ pathname: alias, search }, isLoggedIn) ?? alias + search
  return routeOf(pathname)?.needsLogin && !isLoggedIn ? pathWithFrom('login', pathname + search) : null
}

/**
 * Where to go after the log-in: the `from` of the query if it is one of our screens, else home. Anything that a browser
 * could read as another site ("//host", "\\host", "https:") is not.
 */
export function pathAfterLogin(from: string | null): string {
  const path = from ?? ''
  const [pathname = ''] = path.split('?')
  const isOurs = /^\/(?![/\\])/.test(path) && (routeOf(pathname) ?? aliasOf(pathname)) !== null
  return isOurs && !isEntry(pathname) ? path : pathOf('home')
}
