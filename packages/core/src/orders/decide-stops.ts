import type { SetStops, SetTrailing } from '../command.ts'
import type { Event, StopsSet } from '../event.ts'
import type { Price } from '../money/number.ts'
import { isHolding, type Order } from './order.ts'
import { checkStopPrices, checkStops, MAX_PRICE_TICKS, trailingStart } from './order-rules.ts'
import { closingPrice } from '../market/quote.ts'
import { reject, type Rejection } from '../rejection.ts'
import type { Instrument } from '../terms/instrument.ts'
import type { State } from '../state.ts'

type Known = Pick<State, 'instruments' | 'quotes'>

/** Moves or clears the stops of a living order; allowed while the market is closed, against the last price known. */
export function decideStops(state: Known, command: SetStops, order: Order): Event[] | Rejection {
  const instrument = state.instruments.get(order.instrumentId)
  if (!instrument) return reject('unknownInstrument')
  const { takeProfit, stopLoss } = command
  const refused = checkStopPrices(instrument, command) ?? checkSides(state, instrument, { order, command })
  if (refused) return refused
  // A stop moved by hand stands where it was put.
  const trailingDistance = stopLoss === order.stopLoss ? order.trailingDistance : null
  return [stopsEvent(order, { takeProfit, stopLoss, trailingDistance })]
}

const stopsEvent = (
  order: Order,
  stops: Pick<StopsSet, 'takeProfit' | 'stopLoss' | 'trailingDistance'>,
): StopsSet => ({ type: 'stopsSet', orderId: order.id, accountId: order.accountId, ...stops })

/**
 * Lets the stop loss of a position follow the price. It starts at the distance from the closing price, unless the stop
 * that stands is nearer already. Null stops it where it stands.
 */
export function decideTrailing(state: Known, command: SetTrailing, order: Order): Event[] | Rejection {
  if (!isHolding(order)) return reject('orderNotHolding', { orderId: order.id })
  const instrument = state.instruments.get(order.instrumentId)
  if (!instrument) return reject('unknownInstrument')
  const { distance } = command
  const { takeProfit, stopLoss } = order
  if (distance === null) return [stopsEvent(order, { takeProfit, stopLoss, trailingDistance: null })]
  const { priceDecimals } = instrument
  // Never zero: a stop at the price itself would fire on the tick that moved it.
  const minimum = Math.max(instrument.minStopDistance, 1)
  if (!Number.isSafeInteger(distance) || distance < minimum || distance > MAX_PRICE_TICKS) {
    return reject('trailingDistanceInvalid', { price: distance, below: minimum, priceDecimals })
  }
  const quote = state.quotes.get(instrument.id)
  if (!quote) return reject('stalePrice', { instrument: instrument.code })
  const closing = closingPrice(order.side, quote)
  const atDistance = trailingStart({ side: order.side, stopLoss: null }, closing, distance)
  const refused = checkStopPrices(instrument, { takeProfit: null, stopLoss: atDistance })
  if (refused) return refused
  const started = trailingStart(order, closing, distance)
  return [stopsEvent(order, { takeProfit, stopLoss: started, trailingDistance: distance })]
}

/** What is not changed is not checked again. Setting a stop needs a price to measure from; clearing needs none. */
function checkSides(
  { quotes }: Known,
  instrument: Instrument,
  { order, command }: { order: Order; command: SetStops },
): Rejection | null {
  const takeProfit = command.takeProfit === order.takeProfit ? null : command.takeProfit
  const stopLoss = command.stopLoss === order.stopLoss ? null : command.stopLoss
  if (takeProfit === null && stopLoss === null) return null
  const reference = stopsReference(quotes, order)
  return reference === null
    ? reject('stalePrice', { instrument: instrument.code })
    : checkStops(instrument, { side: order.side, takeProfit, stopLoss }, reference)
}

function stopsReference(quotes: Known['quotes'], order: Order): Price | null {
  if (order.status === 'pending') return order.targetPrice
  const quote = quotes.get(order.instrumentId)
  return quote ? closingPrice(order.side, quote) : null
}
