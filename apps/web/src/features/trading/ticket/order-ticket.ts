import { fromTicks, type Decimal, type OrderTicket } from '@fairlot/contract'
import type { Instrument, Price, Side } from '@fairlot/core'
import { readExpiry, readTicket, valueOf } from './ticket-reading.ts'
import type { TicketState } from './ticket-state.ts'

/** What is sent for a side; null while the lots cannot be read. Judging it is the business of `problems`. */
export function orderTicketOf(state: TicketState, side: Side, instrument: Instrument): OrderTicket | null {
  const reading = readTicket(state, instrument)
  const lots = valueOf(reading.lots)
  const decimal = (ticks: Price | null): Decimal | null =>
    ticks === null ? null : fromTicks(ticks, instrument.priceDecimals)
  return (
    lots && {
      side,
      lots,
      instrumentId: instrument.id,
      entry: state.mode,
      targetPrice: decimal(valueOf(reading.target)),
      stopLoss: decimal(valueOf(reading.stopLoss)),
      takeProfit: decimal(valueOf(reading.takeProfit)),
      leverage: state.leverage ?? 0,
      expiresAt: valueOf(readExpiry(state)),
    }
  )
}
