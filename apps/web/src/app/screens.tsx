import { lazy, useEffect } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { Guarded } from './guarded.tsx'
import { HomePage } from './pages/home-page.tsx'
import type { RouteName } from './routes.ts'
import { worded } from './worded.tsx'

const TradePage = worded('trading', async () => (await import('./pages/trade-page.tsx')).TradePage)

// The list of all screens and their files is long, and most visits begin with one of these.
const screens: Partial<Record<RouteName, ComponentType>> = {
  home: HomePage,
  trade: TradePage,
  login: worded('own', async () => (await import('./pages/login-page.tsx')).LoginPage),
}

/** Loads the screen that the page opens with, where the page shows it already: nothing may stand between the two. */
export const loadFirstScreen = async (): Promise<void> => {
  if (document.documentElement.dataset['first'] !== 'trade') return
  // Where it does not arrive the screen says so.
  await TradePage.load().catch(() => undefined)
}

const MoreScreen = lazy(async () => ({ default: (await import('./more-screens.tsx')).MoreScreen }))

/** Loads the list of the other screens: whoever touches the page may want one of them. Never rejects. */
export const loadMoreScreens = (): void => void import('./more-screens.tsx').catch(() => undefined)

const SETTLED_MS = 3000

/** Fetches the orders' screen ahead for who has an account: it must open even when the connection is gone. */
export function useOrdersAhead(isLoggedIn: boolean): void {
  useEffect(() => {
    if (!isLoggedIn) return
    const fetch = async () => (await import('./more-screens.tsx')).fetchOrders()
    const timer = setTimeout(() => void fetch().catch(() => undefined), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [isLoggedIn])
}

/** The wide window's one screen of markets, chart, orders and ticket. */
export const Workspace = worded('trading', async () => (await import('./desktop/workspace.tsx')).Workspace)

/** The screen of a name. Null: no such path. */
export function screenOf(name: RouteName | null): ReactNode {
  if (name === null) return <MoreScreen name={null} />
  const Built = screens[name]
  return <Guarded name={name}>{Built ? <Built /> : <MoreScreen name={name} />}</Guarded>
}
