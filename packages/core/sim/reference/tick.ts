/** The effects of a tick in the reference model, one event at a time, so that a crash can come between any two. */
import type { PlainQuote } from '../plain-types.ts'
import { endAlerts } from './alerts.ts'
import { cancel, close, open } from './deals.ts'
import { settleAccount } from './due-work.ts'
import { isPriced, referenceFigures } from './figures.ts'
import { fireAlerts } from './fire-alerts.ts'
import { barOf, isFreshAt, referenceClosingMarket, referenceMarket, type ReferenceMarket } from './market.ts'
import { referenceCost } from './refusals.ts'
import { accountsOn, isStoppedOut, stopOutAll } from './stop-out.ts'
import { priceRollovers } from './overnight-swap.ts'
import { asTick } from './receipt.ts'
import {
  byId,
  closingAt,
  isHeld,
  openingAt,
  type Moment,
  type ReferenceModel,
  type ReferenceOrder,
} from './state.ts'

type Work = Generator<void, void, void>

/**
 * The first price may be the one that rollovers wait for. Expired orders and alerts end first. A late tick, or one of a market
 * that does not trade, fires no orders. Otherwise stops come first, by order id; then pending orders; then
 * trailing stops; then alerts; then the stop-out of all accounts whose equity depends on the instrument, or did before. Due work
 * of an account comes before decisions about its orders.
 */
export function* onTick(model: ReferenceModel, quote: PlainQuote, moment: Moment): Work {
  const { at } = moment
  const isFirst = !model.quotes.has(quote.instrumentId)
  model.quotes.set(quote.instrumentId, quote)
  if (isFirst) yield* priceRollovers(model, quote, moment)
  yield* expire(model, moment)
  yield* endAlerts(model, moment)
  const instrument = model.instruments.find(({ id }) => id === quote.instrumentId)
  if (!instrument) return
  const affected = accountsOn(model, instrument.id)
  const bar = barOf(model, instrument, at, 'closing') ?? (isFreshAt(model, quote, at) ? null : 'stalePrice')
  if (bar) {
    // A halted market has prices all the same.
    if (isFreshAt(model, quote, at) && bar !== 'marketClosed')
      yield* fireAlerts(model, quote, affected, moment)
    const isWaiting = affected.some((accountId) => isStoppedOut(model, accountId))
    if (isWaiting) model.notes.push(`stop-out reached: ${bar}`)
    return
  }
  const here = model.active.filter((order) => order.instrumentId === instrument.id).toSorted(byId)
  const pending = here.filter(({ status }) => status === 'pending')
  for (const order of here.filter(isHeld)) {
    if (reachedStop(order, closingAt(order.side, quote))) yield* stop(model, order, quote, moment)
  }
  for (const order of pending) {
    if (hasReachedTarget(order, openingAt(order.side, quote))) yield* trigger(model, order, moment)
  }
  yield* trail(model, quote, moment)
  yield* fireAlerts(model, quote, affected, moment)
  yield* stopOutAll(model, [...new Set([...affected, ...accountsOn(model, instrument.id)])], moment)
}

export function* expire(model: ReferenceModel, moment: Moment): Work {
  const { at, events } = moment
  for (const order of model.active.toSorted(byId)) {
    const isOver = order.status === 'pending' && order.expiresAt !== null && order.expiresAt <= at
    if (!isOver) continue
    yield* settleAccount(model, order.accountId, moment)
    if (!model.active.includes(order)) continue
    cancel(model, order, { reason: 'expired', trigger: 'expiry', at, events })
    yield
  }
}

function* stop(model: ReferenceModel, order: ReferenceOrder, quote: PlainQuote, moment: Moment): Work {
  const { at, events } = moment
  yield* settleAccount(model, order.accountId, moment)
  const reason = reachedStop(order, closingAt(order.side, quote))
  const instrument = model.instruments.find(({ id }) => id === quote.instrumentId)
  const market = instrument && referenceClosingMarket(model, instrument, at)
  if (!reason || !market) return
  close(model, { order, market }, { reason, trigger: reason, at, events })
  yield
}

/** All trailing stops that this price improves follow it, reported in one event. */
function* trail(model: ReferenceModel, quote: PlainQuote, { events }: Moment): Work {
  const moved = model.active
    .filter((order) => order.instrumentId === quote.instrumentId && order.status === 'holding')
    .toSorted(byId)
    .flatMap((order) => {
      const stopLoss = trailedStop(order, closingAt(order.side, quote))
      return stopLoss === null ? [] : [{ order, stopLoss }]
    })
  if (moved.length === 0) return
  for (const { order, stopLoss } of moved) {
    order.stopLoss = stopLoss
    model.trailed.push({ orderId: order.orderId, accountId: order.accountId, stopLoss })
  }
  events.push({ type: 'trailingMoved', instrumentId: quote.instrumentId, tick: asTick(quote) })
  yield
}

export function reachedStop(
  { side, takeProfit, stopLoss }: ReferenceOrder,
  price: number,
): 'takeProfit' | 'stopLoss' | null {
  const sign = side === 'buy' ? 1 : -1
  if (takeProfit !== null && (price - takeProfit) * sign >= 0) return 'takeProfit'
  if (stopLoss !== null && (price - stopLoss) * sign <= 0) return 'stopLoss'
  return null
}

/** The new level of a trailing stop, when it is better than the current one; else null. */
function trailedStop({ side, stopLoss, trailingDistance }: ReferenceOrder, price: number): number | null {
  if (stopLoss === null || trailingDistance === null) return null
  const followed = side === 'buy' ? price - trailingDistance : price + trailingDistance
  const isBetter = side === 'buy' ? followed > stopLoss : followed < stopLoss
  return isBetter ? followed : null
}

/** A buy limit and a sell stop wait below the market, a sell limit and a buy stop above it. */
export function hasReachedTarget({ side, kind, targetPrice }: ReferenceOrder, price: number): boolean {
  if (targetPrice === null) return false
  const waitsBelow = (side === 'buy') === (kind === 'limit')
  return waitsBelow ? price <= targetPrice : price >= targetPrice
}

/**
 * Releases the reserve and computes margin and fee at the fill price; too expensive, or no valid opening price: it is
 * cancelled. Waits where the conversion is stale, or the free margin is unknown.
 */
function* trigger(model: ReferenceModel, order: ReferenceOrder, moment: Moment): Work {
  const { at, events } = moment
  yield* settleAccount(model, order.accountId, moment)
  if (!model.active.includes(order)) return
  const instrument = model.instruments.find(({ id }) => id === order.instrumentId)
  const market = instrument && referenceMarket(model, instrument, at)
  if (!market) return
  if (!isPriced(model, order.accountId)) {
    model.notes.push('trigger waits for the price of another position')
    return
  }
  fillOrCancel(model, order, market, { at, events })
  yield
}

/** Filled here, its stop loss would close it at once, or its take profit lies behind the fill. */
function hasPassedStop({ side, takeProfit, stopLoss }: ReferenceOrder, { bid, ask }: PlainQuote): boolean {
  if (side === 'buy')
    return (takeProfit !== null && ask >= takeProfit) || (stopLoss !== null && bid <= stopLoss)
  return (takeProfit !== null && bid <= takeProfit) || (stopLoss !== null && ask >= stopLoss)
}

function fillOrCancel(
  model: ReferenceModel,
  order: ReferenceOrder,
  market: ReferenceMarket,
  { at, events }: Pick<Moment, 'at' | 'events'>,
): void {
  const price = openingAt(order.side, market.quote)
  if (hasPassedStop(order, market.quote)) {
    cancel(model, order, { reason: 'stopPassed', trigger: 'target', at, events }, market)
    return
  }
  const cost = referenceCost(model, market, { ...order, price })
  const free = referenceFigures(model, order.accountId).free + order.margin + order.fee
  if (price <= 0 || cost.margin + cost.fee > free) {
    cancel(model, order, { reason: 'notEnoughAtTrigger', trigger: 'target', at, events }, market)
    return
  }
  const requestedPrice = order.targetPrice ?? price
  open(model, order, { market, cost, trigger: 'target', requestedPrice, at, events })
}
