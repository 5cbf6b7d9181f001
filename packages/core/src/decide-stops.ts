import type { SetStops } from './command.ts'
import type { Event } from './event.ts'
import type { Instrument } from './instrument.ts'
import type { Price } from './number.ts'
import type { Order, Side } from './order.ts'
import { checkStopPrices } from './price-range.ts'
import { closingPrice } from './quote.ts'
import { reject, type Rejection } from './rejection.ts'
import type { State } from './state.ts'

type Stops = { readonly side: Side; readonly takeProfit: Price | null; readonly stopLoss: Price | null }

/**
 * Take profit and stop loss each on its own side of the reference price, at least the instrument's minimum distance
 * away. Checked in that order.
 */
export function checkStops(instrument: Instrument, stops: Stops, reference: Price): Rejection | null {
  const isBuy = stops.side === 'buy'
  const above = reference + instrument.minStopDistance
  const below = reference - instrument.minStopDistance
  const { takeProfit, stopLoss } = stops
  const details = { priceDecimals: instrument.priceDecimals, reference, above, below, side: stops.side }
  if (takeProfit !== null && (isBuy ? takeProfit < above : takeProfit > below)) {
    return reject('takeProfitWrongSide', { ...details, price: takeProfit })
  }
  if (stopLoss !== null && (isBuy ? stopLoss > below : stopLoss < above)) {
    return reject('stopLossWrongSide', { ...details, price: stopLoss })
  }
  return null
}

/** Moves or clears the stops of a living order; allowed while the market is closed, against the last price known. */
export function decideStops(state: State, command: SetStops, order: Order): Event[] | Rejection {
  const instrument = state.instruments.get(order.instrumentId)
  if (!instrument) return reject('unknownInstrument')
  const { takeProfit, stopLoss } = command
  const refused = checkStopPrices(instrument, command) ?? checkSides(state, instrument, { order, command })
  if (refused) return refused
  return [{ type: 'stopsSet', orderId: order.id, accountId: order.accountId, takeProfit, stopLoss }]
}

/** Setting a stop needs a price to measure from; clearing both needs none. */
function checkSides(
  state: State,
  instrument: Instrument,
  { order, command }: { order: Order; command: SetStops },
): Rejection | null {
  const { takeProfit, stopLoss } = command
  if (takeProfit === null && stopLoss === null) return null
  const reference = stopsReference(state, order)
  return reference === null
    ? reject('stalePrice', { instrument: instrument.code })
    : checkStops(instrument, { side: order.side, takeProfit, stopLoss }, reference)
}

function stopsReference(state: State, order: Order): Price | null {
  if (order.status === 'pending') return order.targetPrice
  const quote = state.quotes.get(order.instrumentId)
  return quote ? closingPrice(order.side, quote) : null
}
