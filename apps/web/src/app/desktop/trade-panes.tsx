import type { InstrumentListing } from '@fairlot/contract'
import { TicketPanel } from '../../features/trading/ticket/ticket.tsx'
import { InstrumentHeader } from '../../features/trading/trade-header.tsx'
import { useTradeLines } from '../../features/trading/trade-lines.ts'
import { useSelectedInstrument } from '../../live/market/instruments.ts'
import { ScreenSkeleton } from '../error-boundary.tsx'
import { TradeChart } from '../trade-chart.tsx'

/** The chart of the selected instrument with the user's orders in it. */
export function ChartPane() {
  const listing = useSelectedInstrument()
  return listing ? <Chart listing={listing} /> : <ScreenSkeleton />
}

const Chart = ({ listing }: { listing: InstrumentListing }) => (
  <TradeChart
    listing={listing}
    lines={useTradeLines(listing)}
    leading={<InstrumentHeader listing={listing} />}
  />
)

/** The ticket of the selected instrument. */
export function TicketPane() {
  const listing = useSelectedInstrument()
  return <div className="p-4">{listing ? <TicketPanel listing={listing} /> : <ScreenSkeleton />}</div>
}
