import type { SetStops } from '../model/command.ts'
import type { Event, StopsSet } from '../model/event.ts'
import type { Price } from '../model/number.ts'
import type { Order } from '../model/order.ts'
import { checkStopPrices, checkStops, type StopPrices } from './order-rules.ts'
import { closingPrice } from '../model/quote.ts'
import { reject, type Rejection } from '../model/rejection.ts'
import type { Instrument } from '../model/instrument.ts'
import type { Account, State } from '../state/state.ts'
import { checkTightened, keepsTrailing } from '../accounts/decide-account.ts'

type Known = Pick<State, 'instruments' | 'quotes'>

/** Moves or clears stops of an active order, and leaves alone what the command leaves out; allowed while the market is closed, measured from the last price. */
export function decideStops(
  state: Known,
  command: SetStops,
  account: Account,
  order: Order,
): Event[] | Rejection {
  const instrument = state.instruments.get(order.instrumentId)
  if (!instrument) return reject('unknownInstrument')
  const { takeProfit = order.takeProfit, stopLoss = order.stopLoss } = command
  const wanted = { takeProfit, stopLoss }
  const refused = checkStopPrices(instrument, wanted) ?? checkSides(state, instrument, { order, wanted })
  if (refused) return refused
  // A stop moved by hand does not trail.
  const isTrailing = stopLoss === order.stopLoss || (keepsTrailing(account) && stopLoss !== null)
  const stops = { takeProfit, stopLoss, trailingDistance: isTrailing ? order.trailingDistance : null }
  return checkTightened(account, order, stops) ?? [stopsEvent(order, stops)]
}

export const stopsEvent = (
  order: Order,
  stops: Pick<StopsSet, 'takeProfit' | 'stopLoss' | 'trailingDistance'>,
): StopsSet => ({ type: 'stopsSet', orderId: order.id, accountId: order.accountId, ...stops })

/** Unchanged stops are not checked again. Setting a stop needs a price to measure from; clearing needs none. */
function checkSides(
  { quotes }: Known,
  instrument: Instrument,
  { order, wanted }: { order: Order; wanted: StopPrices },
): Rejection | null {
  const takeProfit = wanted.takeProfit === order.takeProfit ? null : wanted.takeProfit
  const stopLoss = wanted.stopLoss === order.stopLoss ? null : wanted.stopLoss
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
