import { MarketList } from '../../features/market/market-list.tsx'
import { TradeScreen } from '../../features/trading/trade-screen.tsx'
import { AvatarLink } from '../main-header.tsx'
import { TradeChart } from '../trade-chart.tsx'

/** Chart and ticket of the selected instrument. */
export const TradePage = () => (
  <TradeScreen list={<MarketList />} trailing={<AvatarLink />} chart={(props) => <TradeChart {...props} />} />
)
