import type { SetStops } from './command.ts'
import type { Event } from './event.ts'
import type { Instrument } from './instrument.ts'
import type { Price } from './number.ts'
import type { Order, Side } from './order.ts'
import { checkStopPrices } from './price-range.ts'
import { closingPrice } from './quote.ts'
import { isRejection, reject, type Rejection } from './rejection.ts'
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

/** Moves or clears the stops of a living order; allowed while the market is closed, against the last price. */
export function decideStops(state: State, command: SetStops, order: Order): Event[] | Rejection {
  const instrument = state.instruments.get(order.instrumentId)
  if (!instrument) return reject('unknownInstrument')
  const { takeProfit, stopLoss } = command
  const impossible = checkStopPrices(instrument, command)
  if (impossible) return impossible
  const reference = stopsReference(state, instrument, order)
  if (isRejection(reference)) return reference
  const refused = checkStops(instrument, { side: order.side, takeProfit, stopLoss }, reference.price)
  if (refused) return refused
  return [{ type: 'stopsSet', orderId: order.id, accountId: order.accountId, takeProfit, stopLoss }]
}

function stopsReference(state: State, instrument: Instrument, order: Order): { price: Price } | Rejection {
  if (order.status === 'pending' && order.targetPrice !== null) return { price: order.targetPrice }
  const quote = state.quotes.get(order.instrumentId)
  return quote
    ? { price: closingPrice(order.side, quote) }
    : reject('stalePrice', { instrument: instrument.code })
}
