/** Trailing stops: setting and ending them, and moving them with the price. */
import { checkTightened } from '../accounts/decide-account.ts'
import type { SetTrailing } from '../model/command.ts'
import type { Event } from '../model/event.ts'
import type { Price } from '../model/number.ts'
import { isPosition, type Order } from '../model/order.ts'
import { closingPrice, type Quote } from '../model/quote.ts'
import { receiptTick, type ReceiptTick } from '../model/receipt.ts'
import { reject, type Rejection } from '../model/rejection.ts'
import { stopAtDistance, trailingStart } from '../model/trailing-stop.ts'
import type { Core } from '../state/running-core.ts'
import type { Account, State } from '../state/state.ts'
import type { TriggerBook } from '../state/trigger-book.ts'
import type { Steps } from '../state/work-in-steps.ts'
import { stopsEvent } from './decide-set-stops.ts'
import { checkStopPrices, MAX_PRICE_TICKS } from './order-rules.ts'

/**
 * Makes the stop loss of a position follow the price. It starts at the distance from the closing price, unless the
 * current stop is nearer. Null ends trailing at the current level.
 */
export function decideTrailing(
  state: Pick<State, 'instruments' | 'quotes'>,
  command: SetTrailing,
  account: Account,
  order: Order,
): Event[] | Rejection {
  if (!isPosition(order)) return reject('orderNotHolding', { orderId: order.id })
  const instrument = state.instruments.get(order.instrumentId)
  if (!instrument) return reject('unknownInstrument')
  const { distance } = command
  const { takeProfit, stopLoss } = order
  const ended = { takeProfit, stopLoss, trailingDistance: null }
  if (distance === null) return checkTightened(account, order, ended) ?? [stopsEvent(order, ended)]
  const { priceDecimals } = instrument
  // Never zero: a stop at the price itself would fire on the tick that moved it.
  const minimum = Math.max(instrument.minStopDistance, 1)
  if (!Number.isSafeInteger(distance) || distance < minimum || distance > MAX_PRICE_TICKS) {
    return reject('trailingDistanceInvalid', { price: distance, below: minimum, priceDecimals })
  }
  const quote = state.quotes.get(instrument.id)
  if (!quote) return reject('stalePrice', { instrument: instrument.code })
  const closing = closingPrice(order.side, quote)
  const atDistance = stopAtDistance(order.side, closing, distance)
  const refused = checkStopPrices(instrument, { takeProfit: null, stopLoss: atDistance })
  if (refused) return refused
  const started = trailingStart(order, closing, distance)
  const stops = { takeProfit, stopLoss: started, trailingDistance: distance }
  return checkTightened(account, order, stops) ?? [stopsEvent(order, stops)]
}

/** Moves all trailing stops of an instrument that a tick improves, in one event. */
export function* trail(triggers: TriggerBook, quote: Quote): Steps {
  if (triggers.trailing(quote).length === 0) return
  yield { type: 'trailingMoved', instrumentId: quote.instrumentId, tick: receiptTick(quote) }
}

/** A trailing stop after it has followed a price. */
export type TrailedStop = { readonly orderId: number; readonly accountId: number; readonly stopLoss: Price }

/** Moves every trailing stop of the instrument that this price improves. */
export function followPrice(
  { state, triggers }: Pick<Core, 'state' | 'triggers'>,
  tick: ReceiptTick,
): TrailedStop[] {
  const trailed: TrailedStop[] = []
  for (const { orderId } of triggers.trailing(tick)) {
    const order = state.orders.get(orderId)
    if (!order || order.trailingDistance === null) continue
    const stopLoss = stopAtDistance(order.side, closingPrice(order.side, tick), order.trailingDistance)
    order.stopLoss = stopLoss
    triggers.watch(order)
    trailed.push({ orderId, accountId: order.accountId, stopLoss })
  }
  return trailed
}
