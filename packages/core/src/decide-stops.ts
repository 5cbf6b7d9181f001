import type { SetStops, SetTrailing } from './command.ts'
import type { Event, StopsSet } from './event.ts'
import type { Instrument } from './instrument.ts'
import { larger, price, smaller, type Price } from './number.ts'
import { direction, isHolding, type Order, type Side } from './order.ts'
import { checkStopPrices, MAX_PRICE_TICKS } from './price-range.ts'
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
export function decideTrailing(state: State, command: SetTrailing, order: Order): Event[] | Rejection {
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
  const started = price(closingPrice(order.side, quote) - direction(order.side) * distance)
  const refused = checkStopPrices(instrument, { takeProfit: null, stopLoss: started })
  if (refused) return refused
  return [stopsEvent(order, { takeProfit, stopLoss: nearer(order, started), trailingDistance: distance })]
}

/** Of the stop that stands and another the one that risks less. */
function nearer({ side, stopLoss }: Order, other: Price): Price {
  if (stopLoss === null) return other
  return side === 'buy' ? larger(stopLoss, other) : smaller(stopLoss, other)
}

/** What is not changed is not checked again. Setting a stop needs a price to measure from; clearing needs none. */
function checkSides(
  state: State,
  instrument: Instrument,
  { order, command }: { order: Order; command: SetStops },
): Rejection | null {
  const takeProfit = command.takeProfit === order.takeProfit ? null : command.takeProfit
  const stopLoss = command.stopLoss === order.stopLoss ? null : command.stopLoss
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
