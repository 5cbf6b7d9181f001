/** A screen of the product and how it behaves. */
export type Route = {
  readonly name: RouteName
  readonly path: string
  /** Only for those who are logged in; visitors go to the login and come back. */
  readonly needsLogin?: true
  /** Keeps its state and its place when left. */
  readonly isKept?: true
  /** Shows the tab bar at the foot. */
  readonly hasFooter?: true
}

const table = {
  home: { path: '/', isKept: true, hasFooter: true },
  trade: { path: '/trade', isKept: true, hasFooter: true },
  order: { path: '/order', needsLogin: true, isKept: true, hasFooter: true },
  user: { path: '/user', needsLogin: true, isKept: true, hasFooter: true },
  news: { path: '/news', isKept: true, hasFooter: true },
  newsDetail: { path: '/news/detail' },
  rank: { path: '/rank', isKept: true, hasFooter: true },
  feedback: { path: '/feedback' },
  login: { path: '/login' },
  register: { path: '/register' },
  forgot: { path: '/forgot' },
  product: { path: '/product' },
  auth: { path: '/mine/auth' },
  invite: { path: '/mine/invite' },
  email: { path: '/mine/email' },
  announcement: { path: '/mine/announcement' },
  password: { path: '/mine/password' },
  history: { path: '/mine/history' },
  charge: { path: '/mine/charge' },
  withdraw: { path: '/mine/withdraw' },
  chat: { path: '/mine/chat' },
  system: { path: '/mine/system' },
  wallet: { path: '/mine/wallet' },
  bankCardList: { path: '/mine/bank-card-list' },
  coinAddressList: { path: '/mine/coin-address-list' },
  withdrawWay: { path: '/mine/withdraw-way' },
  language: { path: '/language' },
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

/** The path of a screen. */
export const pathOf = (name: RouteName): string => table[name].path
