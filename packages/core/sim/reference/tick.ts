/** What a tick brings about in the reference model, one event at a time, so that a crash can come between any two. */
import type { PlainQuote } from '../plain.ts'
import { cancel, close, open } from './deals.ts'
import { settleAccount } from './due-work.ts'
import { isPriced, referenceFigures } from './figures.ts'
import { barOf, isFreshAt, referenceClosingMarket, referenceMarket, type ReferenceMarket } from './market.ts'
import { referenceCost } from './refusals.ts'
import { accountsOn, isStoppedOut, stopOutAll } from './stop-out.ts'
import { priceNights } from './overnight-swap.ts'
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
 * The first price may be the one that nights have waited for. Orders whose time is over end first. A late tick, or one of a market
 * that does not trade, does nothing more than become the price. Else stops, each by its order's id; then pending orders; then
 * trailing stops follow; then the stop-out of everybody whose worth depends on the instrument, or did before. What is
 * due on an account comes before its orders are decided about.
 */
export function* onTick(model: ReferenceModel, quote: PlainQuote, moment: Moment): Work {
  const { at } = moment
  const isFirst = !model.quotes.has(quote.instrumentId)
  model.quotes.set(quote.instrumentId, quote)
  if (isFirst) yield* priceNights(model, quote, moment)
  yield* expire(model, moment)
  const instrument = model.instruments.find(({ id }) => id === quote.instrumentId)
  if (!instrument) return
  const concerned = accountsOn(model, instrument.id)
  const bar = barOf(model, instrument, at) ?? (isFreshAt(model, quote, at) ? null : 'stalePrice')
  if (bar) {
    const isWaiting = concerned.some((accountId) => isStoppedOut(model, accountId))
    if (isWaiting) model.notes.push(`stop-out reached: ${bar}`)
    return
  }
  const here = model.living.filter((order) => order.instrumentId === instrument.id).toSorted(byId)
  const pending = here.filter(({ status }) => status === 'pending')
  for (const order of here.filter(isHeld)) {
    if (reachedStop(order, closingAt(order.side, quote))) yield* stop(model, order, quote, moment)
  }
  for (const order of pending) {
    if (hasReachedTarget(order, openingAt(order.side, quote))) yield* trigger(model, order, moment)
  }
  yield* trail(model, quote, moment)
  yield* stopOutAll(model, [...new Set([...concerned, ...accountsOn(model, instrument.id)])], moment)
}

export function* expire(model: ReferenceModel, moment: Moment): Work {
  const { at, events } = moment
  for (const order of model.living.toSorted(byId)) {
    const isOver = order.status === 'pending' && order.expiresAt !== null && order.expiresAt <= at
    if (!isOver) continue
    yield* settleAccount(model, order.accountId, moment)
    if (!model.living.includes(order)) continue
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

/** All trailing stops of the instrument that the price is better for follow it, told of once. */
function* trail(model: ReferenceModel, quote: PlainQuote, { events }: Moment): Work {
  const moved = model.living
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

/** Where a trailing stop belongs now, when that is better than where it stands. */
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
 * The reserve is released, margin and fee are computed at the fill price; too dear, or no price to open at: it ends.
 * Waits where the conversion is stale, or nobody can tell what is free.
 */
function* trigger(model: ReferenceModel, order: ReferenceOrder, moment: Moment): Work {
  const { at, events } = moment
  yield* settleAccount(model, order.accountId, moment)
  if (!model.living.includes(order)) return
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

function fillOrCancel(
  model: ReferenceModel,
  order: ReferenceOrder,
  market: ReferenceMarket,
  { at, events }: Pick<Moment, 'at' | 'events'>,
): void {
  const price = openingAt(order.side, market.quote)
  const cost = referenceCost(model, market, { ...order, price })
  const free = referenceFigures(model, order.accountId).free + order.margin + order.fee
  if (price <= 0 || cost.margin + cost.fee > free) {
    cancel(model, order, { reason: 'notEnoughAtTrigger', trigger: 'target', at, events }, market)
    return
  }
  const requestedPrice = order.targetPrice ?? price
  open(model, order, { market, cost, trigger: 'target', requestedPrice, at, events })
}
