/** Checks of requests about an active order, or about all of an account's. */
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

/** Another user's order is reported as not found. */
function checkOwn(model: ReferenceModel, command: OrderCommand): Checked<ReferenceOrder> {
  if (!model.accounts.some(({ id }) => id === command.accountId)) return { refused: 'accountNotFound' }
  const barred = firstOf(statusFaults(model, command))
  if (barred) return { refused: barred }
  return findOwn(model, command)
}

type Named = Pick<OrderCommand, 'accountId' | 'orderId'>

function findOwn(model: ReferenceModel, { accountId, orderId }: Named): Checked<ReferenceOrder> {
  const isSame = (order: ReferenceOrder) => order.orderId === orderId && order.accountId === accountId
  const active = model.active.find(isSame)
  if (active) return accept(active)
  return { refused: model.ended.some(isSame) ? 'alreadyClosed' : 'orderNotFound' }
}

export type Closable = {
  readonly order: ReferenceOrder
  readonly market: ReferenceMarket
  readonly lots: number
}

/** The part and the remainder must each be an order that could have been placed. */
export function checkClose(model: ReferenceModel, command: Omit<ClosePosition, 'type'>): Checked<Closable> {
  const own = checkOwn(model, { ...command, type: 'closePosition' })
  return own.refused ? own : checkClosable(model, own.found, command)
}

/** The published grounds. */
const GROUNDS: ReadonlySet<string> = new Set([
  'ownerRequest',
  'ownerDeceased',
  'authorityOrder',
  'accountEnds',
  'instrumentEnds',
  'termsBroken',
])

/** Two operators may close a position for one of the published grounds; otherwise only the market has to allow it. */
export function checkOperatorsClose(model: ReferenceModel, command: CloseByOperator): Checked<Closable> {
  if (!model.accounts.some(({ id }) => id === command.accountId)) return { refused: 'accountNotFound' }
  const { by, ground } = command
  const refused = firstOf({
    secondOperatorNeeded: by.second === null,
    groundNeeded: ground === undefined || !GROUNDS.has(ground),
  })
  if (refused) return { refused }
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
    closableOnlyWhole: order.lots < 2 * instrument.lotMin,
    ...lotFaults({ ...instrument, lotMax: order.lots }, part),
    remainderTooSmall: order.lots - part < instrument.lotMin,
  }
  const refused = firstOf({
    orderNotHolding: order.status !== 'holding',
    ...(part === order.lots ? {} : partFaults),
    ...barFaults(model, instrument, command.at, 'closing'),
    stalePrice: !market,
  })
  if (refused || !market) return { refused: refused ?? 'stalePrice' }
  return accept({ order, market, lots: part })
}

/** What can be closed now; rejected when nothing can, for the reason of the oldest position. */
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

/** The opposite position must be affordable with the margin that the close releases. */
export function checkReverse(model: ReferenceModel, requested: ReversePosition): Checked<Reversal> {
  const { accountId, orderId, at } = requested
  const own = checkOwn(model, requested)
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
  // The closed position does not count towards the maximum.
  const active = ordersOf(model, accountId).length - 1
  const opened = checkPlace(model, command, { free: freeWithout(model, order), active })
  if (opened.refused) return opened
  const closed = checkClose(model, { accountId, orderId, at })
  return closed.refused ? closed : accept({ closed: closed.found, command, opened: opened.found })
}

/** The free margin once a position has been closed; without another one negative balance protection applies. */
function freeWithout(model: ReferenceModel, order: ReferenceOrder): bigint {
  const { accountId } = order
  const rest = { ...model, active: model.active.filter((other) => other !== order) }
  const profit = referenceFloating(model, order) ?? 0n
  const isLastPosition = positionsOf(rest, accountId).length === 0
  const balance = balanceAt(model, userAccount(accountId)) + profit
  const protection = isLastPosition && balance < 0n ? -balance : 0n
  return referenceFigures(rest, accountId).free + profit + protection
}

export function checkCancel(model: ReferenceModel, command: CancelOrder): Checked<ReferenceOrder> {
  const own = checkOwn(model, command)
  if (own.refused) return own
  return own.found.status === 'pending' ? own : { refused: 'orderNotPending' }
}

/**
 * Stops may be moved in any market; setting one needs a price to measure from, clearing needs none. An unchanged stop
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
  // What is left out stays.
  const after = {
    takeProfit: command.takeProfit === undefined ? order.takeProfit : command.takeProfit,
    stopLoss: command.stopLoss === undefined ? order.stopLoss : command.stopLoss,
  }
  const takeProfit = after.takeProfit === order.takeProfit ? null : after.takeProfit
  const stopLoss = after.stopLoss === order.stopLoss ? null : after.stopLoss
  const isNew = takeProfit !== null || stopLoss !== null
  const refused = firstOf({
    priceInvalid: !canStopAt(instrument, after),
    stalePrice: reference === null && isNew,
    ...stopFaults(instrument, { side, takeProfit, stopLoss }, reference),
    stopsOnlyTightened: isFrozen(model, order) && isLoosened(order, after),
  })
  return refused ? { refused } : own
}

export const isFrozen = (model: ReferenceModel, { accountId }: ReferenceOrder): boolean =>
  model.accounts.some(({ id, status }) => id === accountId && status === 'frozen')

/** An existing stop is removed, or moved further from the market. */
function isLoosened(
  order: ReferenceOrder,
  after: { readonly takeProfit: number | null; readonly stopLoss: number | null },
): boolean {
  const isBuy = order.side === 'buy'
  const isFurther = (before: number | null, now: number | null, isBelow: boolean) =>
    before !== null && (now === null || (isBelow ? now < before : now > before))
  return (
    isFurther(order.stopLoss, after.stopLoss, isBuy) || isFurther(order.takeProfit, after.takeProfit, !isBuy)
  )
}

/** The stop loss from now on: at the distance from the closing price, or the existing one when that is nearer. */
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
  const trailed = order.trailingDistance
  const isLonger = trailed !== null && (distance === null || distance > trailed)
  const tightened: Checked<never> | null =
    isFrozen(model, order) && isLonger ? { refused: 'stopsOnlyTightened' } : null
  if (distance === null || !quote) return tightened ?? accept({ order, stopLoss: order.stopLoss })
  const isBuy = order.side === 'buy'
  const started = isBuy ? quote.bid - distance : quote.ask + distance
  if (!canStopAt(instrument, { takeProfit: null, stopLoss: price(started) }))
    return { refused: 'priceInvalid' }
  if (tightened) return tightened
  const before = order.stopLoss ?? started
  return accept({ order, stopLoss: isBuy ? Math.max(started, before) : Math.min(started, before) })
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
