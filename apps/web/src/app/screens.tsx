import { type ComponentType, lazy, type ReactNode, useEffect } from 'react'
import { barrierOf } from '@fairlot/contract'
import { useCaller } from '../live/session/user.ts'
import { ScreenSkeleton } from './error-boundary.tsx'
import { lazyWithMessages } from './lazy-with-messages.tsx'
import { HomePage } from './pages/home-page.tsx'
import { accessOf, type RouteName } from './routes.ts'

const TradePage = lazyWithMessages('trading', async () => (await import('./pages/trade-page.tsx')).TradePage)

// The screens that most visits begin with; the long list of all others is loaded lazily.
const screens: Partial<Record<RouteName, ComponentType>> = {
  home: HomePage,
  trade: TradePage,
  login: lazyWithMessages('account', async () => (await import('./pages/login-page.tsx')).LoginPage),
}

/** Loads the trade screen before the first render if the server's page shows it, so that no placeholder replaces it. */
export const loadFirstScreen = async (): Promise<void> => {
  if (document.documentElement.dataset['first'] !== 'trade') return
  // If this fails, the screen shows it.
  await TradePage.preload().catch(() => undefined)
}

const MoreScreen = lazy(async () => ({ default: (await import('./more-screens.tsx')).MoreScreen }))

/** Loads the other screens' list on the first touch, since the user may open one of them. Never rejects. */
export const preloadMoreScreens = (): void => void import('./more-screens.tsx').catch(() => undefined)

const PRELOAD_DELAY_MS = 3000

/** Preloads the orders screen for a logged-in user: it must open even when the connection is lost. */
export function usePreloadOrders(isLoggedIn: boolean): void {
  useEffect(() => {
    if (!isLoggedIn) return
    const fetch = async () => (await import('./more-screens.tsx')).preloadOrders()
    const timer = setTimeout(() => void fetch().catch(() => undefined), PRELOAD_DELAY_MS)
    return () => clearTimeout(timer)
  }, [isLoggedIn])
}

/** The desktop screen with markets, chart, orders and ticket. */
export const Workspace = lazyWithMessages(
  'trading',
  async () => (await import('./desktop/workspace.tsx')).Workspace,
)

/** The screen of a name. Null: no such path. */
export function screenOf(name: RouteName | null): ReactNode {
  if (name === null) return <MoreScreen name={null} />
  const Screen = screens[name]
  return <Guarded name={name}>{Screen ? <Screen /> : <MoreScreen name={name} />}</Guarded>
}

const LoginFirst = lazyWithMessages(
  'account',
  async () => (await import('./access-required.tsx')).LoginRequired,
)
const RealOnly = lazyWithMessages(
  'account',
  async () => (await import('./access-required.tsx')).RealAccountRequired,
)

/** Shows the screen to users with access, and to others what it requires. */
function Guarded({ name, children }: { name: RouteName; children: ReactNode }) {
  const caller = useCaller()
  const access = accessOf(name)
  // Logged in, but it is not known yet whether to a demo account, which matters only for screens of real accounts.
  if (caller === undefined && access === 'real') return <ScreenSkeleton />
  const barrier = barrierOf(access, caller ?? 'real')
  if (barrier === null) return children
  return barrier === 'realOnly' ? <RealOnly name={name} /> : <LoginFirst name={name} />
}
