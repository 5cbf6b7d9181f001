import { lazy, useEffect } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { BuildingScreen, NotFoundScreen } from './building-screen.tsx'
import { Guarded } from './guarded.tsx'
import { HomePage } from './pages/home-page.tsx'
import type { RouteName } from './routes.ts'

const loadOrders = () => import('./pages/order-page.tsx')

const screens: Partial<Record<RouteName, ComponentType>> = {
  home: HomePage,
  trade: lazy(async () => ({ default: (await import('./pages/trade-page.tsx')).TradePage })),
  order: lazy(async () => ({ default: (await loadOrders()).OrderPage })),
  user: lazy(async () => ({ default: (await import('./pages/user-page.tsx')).UserPage })),
  login: lazy(async () => ({ default: (await import('./pages/login-page.tsx')).LoginPage })),
  register: lazy(async () => ({ default: (await import('./pages/register-page.tsx')).RegisterPage })),
  forgot: lazy(async () => ({ default: (await import('./pages/forgot-page.tsx')).ForgotPage })),
  product: lazy(async () => ({ default: (await import('./pages/product-page.tsx')).ProductPage })),
  history: lazy(async () => ({ default: (await import('./pages/history-page.tsx')).HistoryPage })),
  password: lazy(async () => ({ default: (await import('./pages/password-page.tsx')).PasswordPage })),
  system: lazy(async () => ({ default: (await import('./pages/system-page.tsx')).SystemPage })),
  language: lazy(async () => ({ default: (await import('./pages/language-page.tsx')).LanguagePage })),
}

/** The screen of a name; those that come with their own issues say so. Null: no such path. */
export function screenOf(name: RouteName | null): ReactNode {
  if (name === null) return <NotFoundScreen />
  const Built = screens[name]
  return <Guarded name={name}>{Built ? <Built /> : <BuildingScreen name={name} />}</Guarded>
}

const SETTLED_MS = 3000

/** Fetches the orders' screen ahead for who has an account: it must open even when the connection is gone. */
export function useOrdersAhead(isLoggedIn: boolean): void {
  useEffect(() => {
    if (!isLoggedIn) return
    const timer = setTimeout(() => void loadOrders().catch(() => undefined), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [isLoggedIn])
}
