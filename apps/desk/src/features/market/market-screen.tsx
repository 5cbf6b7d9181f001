import { type ComponentType, lazy } from 'react'
import { Navigate, Route, Routes, useNavigate } from 'react-router'
import type { PageFilter } from '../../ui/page.tsx'
import type { MarketPageProps } from './market-page.ts'

const InstrumentsScreen = lazy(async () => ({
  default: (await import('./instruments-screen.tsx')).InstrumentsScreen,
}))
const CategoriesScreen = lazy(async () => ({
  default: (await import('./categories-screen.tsx')).CategoriesScreen,
}))
const HoursScreen = lazy(async () => ({ default: (await import('./hours-screen.tsx')).HoursScreen }))
const TradingTermsScreen = lazy(async () => ({
  default: (await import('./trading-terms-screen.tsx')).TradingTermsScreen,
}))
const ChangesScreen = lazy(async () => ({ default: (await import('./changes-screen.tsx')).ChangesScreen }))
const HaltsScreen = lazy(async () => ({ default: (await import('./halts-screen.tsx')).HaltsScreen }))
const FeedsScreen = lazy(async () => ({ default: (await import('./feeds-screen.tsx')).FeedsScreen }))

const PAGES: readonly { path: string; title: string; Screen: ComponentType<MarketPageProps> }[] = [
  { path: 'instruments', title: 'Instruments', Screen: InstrumentsScreen },
  { path: 'categories', title: 'Categories', Screen: CategoriesScreen },
  { path: 'hours', title: 'Hours', Screen: HoursScreen },
  { path: 'terms', title: 'Trading', Screen: TradingTermsScreen },
  { path: 'changes', title: 'Changes', Screen: ChangesScreen },
  { path: 'halts', title: 'Halts', Screen: HaltsScreen },
  { path: 'feeds', title: 'Feeds', Screen: FeedsScreen },
]

/** Everything under Market. */
export function MarketScreen() {
  const navigate = useNavigate()
  const filterAt = (selected: string): PageFilter<string> => ({
    options: PAGES.map(({ path, title }) => ({ key: path, label: title })),
    selected,
    onSelect: (path) => void navigate(`/market/${path}`),
  })
  return (
    <Routes>
      {PAGES.map(({ path, Screen }) => (
        <Route key={path} path={`${path}/*`} element={<Screen filter={filterAt(path)} />} />
      ))}
      <Route path="*" element={<Navigate to="/market/instruments" replace />} />
    </Routes>
  )
}
