/** Checks of what is asked of an order that lives, or of all of an account's. */
import type {
  CancelOrder,
  CloseAll,
  CloseByOperator,
  ClosePosition,
  PlaceOrder,
  ResetDemo,
  ReversePosition,
  SetStops,
  SetTrailing,
} from '../../src/index.ts'
import { lots, price } from '../../src/index.ts'
import { referenceFigures, referenceFloating } from './figures.ts'
import { referenceClosingMarket, type ReferenceMarket } from './market.ts'
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
  type ReferenceCost,
} from './refusals.ts'
import {
  balanceAt,
  byId,
  closingAt,
  instrumentOf,
  ordersOf,
  positionsOf,
  userAccount,
  type ReferenceModel,
  type ReferenceOrder,
} from './state.ts'

type OrderCommand = ClosePosition | CancelOrder | SetStops | SetTrailing | ReversePosition

/** Another's order is answered as if it did not exist. */
function checkOwn(model: ReferenceModel, command: OrderCommand): Checked<ReferenceOrder> {
  if (!model.accounts.some(({ id }) => id === command.accountId)) return { refused: 'accountNotFound' }
  const barred = firstOf(statusFaults(model, command))
  if (barred) return { refused: barred }
  return findOwn(model, command)
}

type Named = Pick<OrderCommand, 'accountId' | 'orderId'>

function findOwn(model: ReferenceModel, { accountId, orderId }: Named): Checked<ReferenceOrder> {
  const isMeant = (order: ReferenceOrder) => order.orderId === orderId && order.accountId === accountId
  const living = model.living.find(isMeant)
  if (living) return accept(living)
  return { refused: model.ended.some(isMeant) ? 'alreadyClosed' : 'orderNotFound' }
}

export type Closable = {
  readonly order: ReferenceOrder
  readonly market: ReferenceMarket
  readonly lots: number
}

/** A part and the rest must each be an order that could have been placed. */
export function checkClose(model: ReferenceModel, command: Omit<ClosePosition, 'type'>): Checked<Closable> {
  const own = checkOwn(model, { ...command, type: 'closePosition' })
  return own.refused ? own : checkClosable(model, own.found, command)
}

/** An operator may close what its owner may not: only the market has to allow it. */
export function checkOperatorsClose(model: ReferenceModel, command: CloseByOperator): Checked<Closable> {
  if (!model.accounts.some(({ id }) => id === command.accountId)) return { refused: 'accountNotFound' }
  const own = findOwn(model, command)
  return own.refused ? own : checkClosable(model, own.found, { at: command.at })
}

function checkClosable(
  model: ReferenceModel,
  order: ReferenceOrder,
  command: Pick<ClosePosition, 'at' | 'lots'>,
): Checked<Closable> {
  const instrument = instrumentOf(model, order)
  const market = referenceClosingMarket(model, instrument, command.at)
  const part: number = command.lots ?? order.lots
  const partFaults: Faults = {
    ...lotFaults({ ...instrument, lotMax: order.lots }, part),
    remainderTooSmall: order.lots - part < instrument.lotMin,
  }
  const refused = firstOf({
    orderNotHolding: order.status !== 'holding',
    ...(part === order.lots ? {} : partFaults),
    ...barFaults(model, instrument, command.at),
    stalePrice: !market,
  })
  if (refused || !market) return { refused: refused ?? 'stalePrice' }
  return accept({ order, market, lots: part })
}

/** What can be closed now; refused when nothing can, for the reason of the oldest. */
export function checkCloseAll(model: ReferenceModel, command: CloseAll): Checked<Closable[]> {
  const { accountId, at } = command
  if (!model.accounts.some(({ id }) => id === accountId)) return { refused: 'accountNotFound' }
  const barred = firstOf(statusFaults(model, command))
  if (barred) return { refused: barred }
  const checked = positionsOf(model, accountId)
    .toSorted(byId)
    .map(({ orderId }) => checkClose(model, { accountId, orderId, at }))
  const closable = checked.flatMap((check) => (check.refused ? [] : [check.found]))
  if (closable.length > 0) return accept(closable)
  return { refused: checked.find(({ refused }) => refused)?.refused ?? 'nothingToClose' }
}

export type Reversal = {
  readonly closed: Closable
  readonly command: PlaceOrder
  readonly opened: { readonly market: ReferenceMarket; readonly cost: ReferenceCost }
}

/** The opposite position must be affordable with what the close sets free. */
export function checkReverse(model: ReferenceModel, asked: ReversePosition): Checked<Reversal> {
  const { accountId, orderId, at } = asked
  const own = checkOwn(model, asked)
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
  const living = ordersOf(model, accountId).length - 1
  const opened = checkPlace(model, command, { free: freeWithout(model, order), living })
  if (opened.refused) return opened
  const closed = checkClose(model, { accountId, orderId, at })
  return closed.refused ? closed : accept({ closed: closed.found, command, opened: opened.found })
}

/** What is free once a position has been closed; without another one the balance does not stay below zero. */
function freeWithout(model: ReferenceModel, order: ReferenceOrder): bigint {
  const { accountId } = order
  const rest = { ...model, living: model.living.filter((other) => other !== order) }
  const profit = referenceFloating(model, order) ?? 0n
  const isBare = positionsOf(rest, accountId).length === 0
  const balance = balanceAt(model, userAccount(accountId)) + profit
  const lifted = isBare && balance < 0n ? -balance : 0n
  return referenceFigures(rest, accountId).free + profit + lifted
}

export function checkCancel(model: ReferenceModel, command: CancelOrder): Checked<ReferenceOrder> {
  const own = checkOwn(model, command)
  if (own.refused) return own
  return own.found.status === 'pending' ? own : { refused: 'orderNotPending' }
}

/**
 * Stops may be moved in any market; setting one needs a price to measure from, clearing needs none. One that stays what it was
 * is not measured again.
 */
export function checkSetStops(model: ReferenceModel, command: SetStops): Checked<ReferenceOrder> {
  const own = checkOwn(model, command)
  if (own.refused) return own
  const order = own.found
  const instrument = instrumentOf(model, order)
  const quote = model.quotes.get(instrument.id)
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
  model: ReferenceModel,
  command: SetTrailing,
): Checked<{ order: ReferenceOrder; stopLoss: number | null }> {
  const own = checkOwn(model, command)
  if (own.refused) return own
  const order = own.found
  const { distance } = command
  const instrument = instrumentOf(model, order)
  const quote = model.quotes.get(instrument.id)
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

export function checkReset(model: ReferenceModel, command: ResetDemo): Checked<true> {
  const account = model.accounts.find(({ id }) => id === command.accountId)
  const refused = firstOf({
    accountNotFound: !account,
    ...statusFaults(model, command),
    demoOnly: account?.ledger === 'real',
  })
  return refused ? { refused } : accept(true)
}
