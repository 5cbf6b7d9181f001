import { ACCESS } from '@fairlot/contract'
import type { Access } from '@fairlot/contract'

/** A screen of the product and how it behaves. */
export type Route = {
  readonly name: RouteName
  readonly path: string
  /** Who may see it: a line of the one table that the server guards by as well. */
  readonly access: Access
  /** Visitors go to the login at once and come back; on the other screens they are asked first. */
  readonly needsLogin?: true
  /** Keeps its state and its place when left. */
  readonly isKept?: true
  /** Shows the tab bar at the foot. */
  readonly hasFooter?: true
}

const table = {
  home: { path: '/', access: ACCESS.market, isKept: true, hasFooter: true },
  trade: { path: '/trade', access: ACCESS.market, isKept: true, hasFooter: true },
  order: { path: '/order', access: ACCESS.trading, needsLogin: true, isKept: true, hasFooter: true },
  user: { path: '/user', access: ACCESS.session, needsLogin: true, isKept: true, hasFooter: true },
  news: { path: '/news', access: ACCESS.information, isKept: true, hasFooter: true },
  newsDetail: { path: '/news/detail', access: ACCESS.information },
  rank: { path: '/rank', access: ACCESS.information, isKept: true, hasFooter: true },
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
  system: { path: '/mine/system', access: ACCESS.information },
  wallet: { path: '/mine/wallet', access: ACCESS.wallet },
  bankCardList: { path: '/mine/bank-card-list', access: ACCESS.wallet },
  coinAddressList: { path: '/mine/coin-address-list', access: ACCESS.wallet },
  withdrawWay: { path: '/mine/withdraw-way', access: ACCESS.wallet },
  language: { path: '/language', access: ACCESS.information },
} as const satisfies Record<string, Omit<Route, 'name'>>

export type RouteName = keyof typeof table

export const ROUTES: readonly Route[] = Object.entries(table).map(([name, route]) => ({
  name: name as RouteName,
  ...route,
}))

/** The user centre is also known by this path. */
const ALIASES: Record<string, string> = { '/mine': '/user' }

const trimmed = (path: string): string => (path.length > 1 ? path.replace(/\/+$/, '') || '/' : path)

/** Where an old or second path leads, or null when the path stands for itself. */
export const aliasOf = (path: string): string | null => ALIASES[trimmed(path)] ?? null

/** The screen of a path, or null when there is none. A slash at the end makes no difference. */
export const routeOf = (path: string): Route | null =>
  ROUTES.find((route) => route.path === trimmed(path)) ?? null

/** Who may see a screen. */
export const accessOf = (name: RouteName): Access => table[name].access

/** The path of a screen. */
export const pathOf = (name: RouteName): string => table[name].path
