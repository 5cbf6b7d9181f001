import { lazy } from 'react'
import { type SectionPage, SectionPages } from '../../ui/page.tsx'

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
const PriceFeedsScreen = lazy(async () => ({
  default: (await import('./price-feeds-screen.tsx')).PriceFeedsScreen,
}))

const MARKET_PAGES: readonly SectionPage[] = [
  { path: 'instruments', title: 'Instruments', permission: 'viewMarket', Screen: InstrumentsScreen },
  { path: 'categories', title: 'Categories', permission: 'viewMarket', Screen: CategoriesScreen },
  { path: 'hours', title: 'Hours', permission: 'viewMarket', Screen: HoursScreen },
  { path: 'terms', title: 'Trading', permission: 'viewMarket', Screen: TradingTermsScreen },
  { path: 'changes', title: 'Changes', permission: 'viewMarket', Screen: ChangesScreen },
  { path: 'halts', title: 'Halts', permission: 'viewMarket', Screen: HaltsScreen },
  { path: 'feeds', title: 'Feeds', permission: 'viewMarket', Screen: PriceFeedsScreen },
]

/** Everything under Market. */
export const MarketScreen = () => <SectionPages section="market" pages={MARKET_PAGES} />
