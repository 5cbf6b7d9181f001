/** Checks of what is asked of an order that lives, or of all of an account's. */
import type {
  CancelOrder,
  CloseAll,
  ClosePosition,
  PlaceOrder,
  ResetDemo,
  ReversePosition,
  SetStops,
  SetTrailing,
} from '../src/index.ts'
import { lots, price } from '../src/index.ts'
import { twinFigures, twinFloating } from './twin-figures.ts'
import { twinClosingMarket, type TwinMarket } from './twin-market.ts'
import {
  accept,
  barFaults,
  canStopAt,
  checkPlace,
  firstOf,
  lotFaults,
  statusFaults,
  stopFaults,
  type Checked,
  type Faults,
  type TwinCost,
} from './twin-refusals.ts'
import {
  balanceAt,
  byId,
  closingAt,
  instrumentOf,
  ordersOf,
  positionsOf,
  userAccount,
  type Twin,
  type TwinOrder,
} from './twin-state.ts'

type OrderCommand = ClosePosition | CancelOrder | SetStops | SetTrailing | ReversePosition

/** Another's order is answered as if it did not exist. */
function checkOwn(twin: Twin, command: OrderCommand): Checked<TwinOrder> {
  if (!twin.accounts.some(({ id }) => id === command.accountId)) return { refused: 'accountNotFound' }
  const barred = firstOf(statusFaults(twin, command))
  if (barred) return { refused: barred }
  const isMeant = (order: TwinOrder) =>
    order.orderId === command.orderId && order.accountId === command.accountId
  const living = twin.living.find(isMeant)
  if (living) return accept(living)
  return { refused: twin.ended.some(isMeant) ? 'alreadyClosed' : 'orderNotFound' }
}

export type Closable = { readonly order: TwinOrder; readonly market: TwinMarket; readonly lots: number }

/** A part and the rest must each be an order that could have been placed. */
export function checkClose(twin: Twin, command: Omit<ClosePosition, 'type'>): Checked<Closable> {
  const own = checkOwn(twin, { ...command, type: 'closePosition' })
  if (own.refused) return own
  const order = own.found
  const instrument = instrumentOf(twin, order)
  const market = twinClosingMarket(twin, instrument, command.at)
  const part: number = command.lots ?? order.lots
  const partFaults: Faults = {
    ...lotFaults({ ...instrument, lotMax: order.lots }, part),
    remainderTooSmall: order.lots - part < instrument.lotMin,
  }
  const refused = firstOf({
    orderNotHolding: order.status !== 'holding',
    ...(part === order.lots ? {} : partFaults),
    ...barFaults(twin, instrument, command.at),
    stalePrice: !market,
  })
  if (refused || !market) return { refused: refused ?? 'stalePrice' }
  return accept({ order, market, lots: part })
}

/** What can be closed now; refused when nothing can, for the reason of the oldest. */
export function checkCloseAll(twin: Twin, command: CloseAll): Checked<Closable[]> {
  const { accountId, at } = command
  if (!twin.accounts.some(({ id }) => id === accountId)) return { refused: 'accountNotFound' }
  const barred = firstOf(statusFaults(twin, command))
  if (barred) return { refused: barred }
  const checked = positionsOf(twin, accountId)
    .toSorted(byId)
    .map(({ orderId }) => checkClose(twin, { accountId, orderId, at }))
  const closable = checked.flatMap((check) => (check.refused ? [] : [check.found]))
  if (closable.length > 0) return accept(closable)
  return { refused: checked.find(({ refused }) => refused)?.refused ?? 'nothingToClose' }
}

export type Reversal = {
  readonly closed: Closable
  readonly command: PlaceOrder
  readonly opened: { readonly market: TwinMarket; readonly cost: TwinCost }
}

/** The opposite position must be affordable with what the close sets free. */
export function checkReverse(twin: Twin, asked: ReversePosition): Checked<Reversal> {
  const { accountId, orderId, at } = asked
  const own = checkOwn(twin, asked)
  if (own.refused) return own
  const order = own.found
  if (order.status !== 'holding') return { refused: 'orderNotHolding' }
  const command: PlaceOrder = {
    type: 'placeOrder',
    at,
    accountId,
    instrumentId: order.instrumentId,
    side: order.side === 'buy' ? 'sell' : 'buy',
    lots: lots(order.lots),
    leverage: order.leverage,
    targetPrice: null,
    takeProfit: null,
    stopLoss: null,
    expiresAt: null,
  }
  // The one that is closed makes room for the other.
  const living = ordersOf(twin, accountId).length - 1
  const opened = checkPlace(twin, command, { free: freeWithout(twin, order), living })
  if (opened.refused) return opened
  const closed = checkClose(twin, { accountId, orderId, at })
  return closed.refused ? closed : accept({ closed: closed.found, command, opened: opened.found })
}

/** What is free once a position has been closed; without another one the balance does not stay below zero. */
function freeWithout(twin: Twin, order: TwinOrder): bigint {
  const { accountId } = order
  const rest = { ...twin, living: twin.living.filter((other) => other !== order) }
  const profit = twinFloating(twin, order) ?? 0n
  const isBare = positionsOf(rest, accountId).length === 0
  const balance = balanceAt(twin, userAccount(accountId)) + profit
  const lifted = isBare && balance < 0n ? -balance : 0n
  return twinFigures(rest, accountId).free + profit + lifted
}

export function checkCancel(twin: Twin, command: CancelOrder): Checked<TwinOrder> {
  const own = checkOwn(twin, command)
  if (own.refused) return own
  return own.found.status === 'pending' ? own : { refused: 'orderNotPending' }
}

/**
 * Stops may be moved in any market; setting one needs a price to measure from, clearing needs none. One that stays what it was
 * is not measured again.
 */
export function checkSetStops(twin: Twin, command: SetStops): Checked<TwinOrder> {
  const own = checkOwn(twin, command)
  if (own.refused) return own
  const order = own.found
  const instrument = instrumentOf(twin, order)
  const quote = twin.quotes.get(instrument.id)
  const closing = quote ? closingAt(order.side, quote) : null
  const reference = order.status === 'pending' ? order.targetPrice : closing
  const { side } = order
  const takeProfit = command.takeProfit === order.takeProfit ? null : command.takeProfit
  const stopLoss = command.stopLoss === order.stopLoss ? null : command.stopLoss
  const isNew = takeProfit !== null || stopLoss !== null
  const refused = firstOf({
    priceInvalid: !canStopAt(instrument, command),
    stalePrice: reference === null && isNew,
    ...stopFaults(instrument, { side, takeProfit, stopLoss }, reference),
  })
  return refused ? { refused } : own
}

/** Where the stop loss stands from now on: at the distance from the closing price, or where it stood when that is nearer. */
export function checkTrailing(
  twin: Twin,
  command: SetTrailing,
): Checked<{ order: TwinOrder; stopLoss: number | null }> {
  const own = checkOwn(twin, command)
  if (own.refused) return own
  const order = own.found
  const { distance } = command
  const instrument = instrumentOf(twin, order)
  const quote = twin.quotes.get(instrument.id)
  const isDistance =
    distance === null ||
    (Number.isInteger(distance) && distance >= Math.max(1, instrument.minStopDistance) && distance <= 1e12)
  const refused = firstOf({
    orderNotHolding: order.status !== 'holding',
    trailingDistanceInvalid: !isDistance,
    stalePrice: distance !== null && !quote,
  })
  if (refused) return { refused }
  if (distance === null || !quote) return accept({ order, stopLoss: order.stopLoss })
  const isBuy = order.side === 'buy'
  const started = isBuy ? quote.bid - distance : quote.ask + distance
  if (!canStopAt(instrument, { takeProfit: null, stopLoss: price(started) }))
    return { refused: 'priceInvalid' }
  const stood = order.stopLoss ?? started
  return accept({ order, stopLoss: isBuy ? Math.max(started, stood) : Math.min(started, stood) })
}

export function checkReset(twin: Twin, command: ResetDemo): Checked<true> {
  const account = twin.accounts.find(({ id }) => id === command.accountId)
  const refused = firstOf({
    accountNotFound: !account,
    ...statusFaults(twin, command),
    demoOnly: account?.ledger === 'real',
  })
  return refused ? { refused } : accept(true)
}
