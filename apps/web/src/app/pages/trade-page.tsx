import { ChartPanel } from '../../features/market/chart/chart-panel.tsx'
import { MarketList } from '../../features/market/market-list.tsx'
import { TradeScreen } from '../../features/trading/trade-screen.tsx'
import { ErrorBoundary } from '../error-boundary.tsx'
import { AvatarLink } from '../main-header.tsx'

/** Chart and ticket of the selected instrument. The chart may fail without taking the ticket with it. */
export const TradePage = () => (
  <TradeScreen
    list={<MarketList />}
    trailing={<AvatarLink />}
    chart={(props) => (
      <ErrorBoundary>
        <ChartPanel {...props} />
      </ErrorBoundary>
    )}
  />
)
