import type { Decimal, OrderTicket } from '@fairlot/contract'
import { readDecimal } from '@fairlot/core/decimal'
import type { Instrument, Price, Side } from '@fairlot/core'
import { readTicket, valueOf, type Read } from './ticket-parser.ts'
import type { TicketState } from './ticket-state.ts'

/** What is sent for a side; null while the lots cannot be read. Judging it is the business of `problems`. */
export function orderTicketOf(state: TicketState, side: Side, instrument: Instrument): OrderTicket | null {
  const reading = readTicket(state, instrument)
  const lots = valueOf(reading.lots)
  const decimal = (read: Read<Price>, text: string): Decimal | null =>
    read.is === 'value' ? readDecimal(text.trim(), instrument.priceDecimals) : null
  return (
    lots && {
      side,
      lots,
      instrumentId: instrument.id,
      entry: state.mode,
      targetPrice: decimal(reading.target, state.target),
      stopLoss: decimal(reading.stopLoss, state.stopLoss),
      takeProfit: decimal(reading.takeProfit, state.takeProfit),
      leverage: state.leverage ?? 0,
      expiresAt: valueOf(reading.expiry),
    }
  )
}
