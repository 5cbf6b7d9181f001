/** What a tick brings about in the twin, one event at a time, so that a crash can come between any two. */
import type { PlainQuote } from './plain.ts'
import { cancel, close, open } from './twin-deals.ts'
import { settleAccount } from './twin-due.ts'
import { isPriced, twinFigures } from './twin-figures.ts'
import { barOf, isFreshAt, twinClosingMarket, twinMarket, type TwinMarket } from './twin-market.ts'
import { twinCost } from './twin-refusals.ts'
import { accountsOn, isStoppedOut, stopOutAll } from './twin-stop-out.ts'
import { priceNights } from './twin-nights.ts'
import { asTick } from './twin-receipt.ts'
import { byId, closingAt, isHeld, openingAt, type Moment, type Twin, type TwinOrder } from './twin-state.ts'

type Work = Generator<void, void, void>

/**
 * The first price may be the one that nights have waited for. Orders whose time is over end first. A late tick, or one of a market
 * that does not trade, does nothing more than become the price. Else stops, each by its order's id; then pending orders; then
 * trailing stops follow; then the stop-out of everybody whose worth depends on the instrument, or did before. What is
 * due on an account comes before its orders are decided about.
 */
export function* onTick(twin: Twin, quote: PlainQuote, moment: Moment): Work {
  const { at } = moment
  const isFirst = !twin.quotes.has(quote.instrumentId)
  twin.quotes.set(quote.instrumentId, quote)
  if (isFirst) yield* priceNights(twin, quote, moment)
  yield* expire(twin, moment)
  const instrument = twin.instruments.find(({ id }) => id === quote.instrumentId)
  if (!instrument) return
  const concerned = accountsOn(twin, instrument.id)
  const bar = barOf(twin, instrument, at) ?? (isFreshAt(twin, quote, at) ? null : 'stalePrice')
  if (bar) {
    const isWaiting = concerned.some((accountId) => isStoppedOut(twin, accountId))
    if (isWaiting) twin.notes.push(`stop-out reached: ${bar}`)
    return
  }
  const here = twin.living.filter((order) => order.instrumentId === instrument.id).toSorted(byId)
  const pending = here.filter(({ status }) => status === 'pending')
  for (const order of here.filter(isHeld)) {
    if (reachedStop(order, closingAt(order.side, quote))) yield* stop(twin, order, quote, moment)
  }
  for (const order of pending) {
    if (hasReachedTarget(order, openingAt(order.side, quote))) yield* trigger(twin, order, moment)
  }
  yield* trail(twin, quote, moment)
  yield* stopOutAll(twin, [...new Set([...concerned, ...accountsOn(twin, instrument.id)])], moment)
}

export function* expire(twin: Twin, moment: Moment): Work {
  const { at, events } = moment
  for (const order of twin.living.toSorted(byId)) {
    const isOver = order.status === 'pending' && order.expiresAt !== null && order.expiresAt <= at
    if (!isOver) continue
    yield* settleAccount(twin, order.accountId, moment)
    if (!twin.living.includes(order)) continue
    cancel(twin, order, { reason: 'expired', trigger: 'expiry', at, events })
    yield
  }
}

function* stop(twin: Twin, order: TwinOrder, quote: PlainQuote, moment: Moment): Work {
  const { at, events } = moment
  yield* settleAccount(twin, order.accountId, moment)
  const reason = reachedStop(order, closingAt(order.side, quote))
  const instrument = twin.instruments.find(({ id }) => id === quote.instrumentId)
  const market = instrument && twinClosingMarket(twin, instrument, at)
  if (!reason || !market) return
  close(twin, { order, market }, { reason, trigger: reason, at, events })
  yield
}

/** All trailing stops of the instrument that the price is better for follow it, told of once. */
function* trail(twin: Twin, quote: PlainQuote, { events }: Moment): Work {
  const moved = twin.living
    .filter((order) => order.instrumentId === quote.instrumentId && order.status === 'holding')
    .toSorted(byId)
    .flatMap((order) => {
      const stopLoss = trailedStop(order, closingAt(order.side, quote))
      return stopLoss === null ? [] : [{ order, stopLoss }]
    })
  if (moved.length === 0) return
  for (const { order, stopLoss } of moved) {
    order.stopLoss = stopLoss
    twin.trailed.push({ orderId: order.orderId, accountId: order.accountId, stopLoss })
  }
  events.push({ type: 'trailingMoved', instrumentId: quote.instrumentId, tick: asTick(quote) })
  yield
}

export function reachedStop(
  { side, takeProfit, stopLoss }: TwinOrder,
  price: number,
): 'takeProfit' | 'stopLoss' | null {
  const sign = side === 'buy' ? 1 : -1
  if (takeProfit !== null && (price - takeProfit) * sign >= 0) return 'takeProfit'
  if (stopLoss !== null && (price - stopLoss) * sign <= 0) return 'stopLoss'
  return null
}

/** Where a trailing stop belongs now, when that is better than where it stands. */
function trailedStop({ side, stopLoss, trailingDistance }: TwinOrder, price: number): number | null {
  if (stopLoss === null || trailingDistance === null) return null
  const followed = side === 'buy' ? price - trailingDistance : price + trailingDistance
  const isBetter = side === 'buy' ? followed > stopLoss : followed < stopLoss
  return isBetter ? followed : null
}

/** A buy limit and a sell stop wait below the market, a sell limit and a buy stop above it. */
export function hasReachedTarget({ side, kind, targetPrice }: TwinOrder, price: number): boolean {
  if (targetPrice === null) return false
  const waitsBelow = (side === 'buy') === (kind === 'limit')
  return waitsBelow ? price <= targetPrice : price >= targetPrice
}

/**
 * The reserve is released, margin and fee are computed at the fill price; too dear, or no price to open at: it ends.
 * Waits where the conversion is stale, or nobody can tell what is free.
 */
function* trigger(twin: Twin, order: TwinOrder, moment: Moment): Work {
  const { at, events } = moment
  yield* settleAccount(twin, order.accountId, moment)
  if (!twin.living.includes(order)) return
  const instrument = twin.instruments.find(({ id }) => id === order.instrumentId)
  const market = instrument && twinMarket(twin, instrument, at)
  if (!market) return
  if (!isPriced(twin, order.accountId)) {
    twin.notes.push('trigger waits for the price of another position')
    return
  }
  fillOrCancel(twin, order, market, { at, events })
  yield
}

function fillOrCancel(
  twin: Twin,
  order: TwinOrder,
  market: TwinMarket,
  { at, events }: Pick<Moment, 'at' | 'events'>,
): void {
  const price = openingAt(order.side, market.quote)
  const cost = twinCost(twin, market, { ...order, price })
  const free = twinFigures(twin, order.accountId).free + order.margin + order.fee
  if (price <= 0 || cost.margin + cost.fee > free) {
    cancel(twin, order, { reason: 'notEnoughAtTrigger', trigger: 'target', at, events }, market)
    return
  }
  const requestedPrice = order.targetPrice ?? price
  open(twin, order, { market, cost, trigger: 'target', requestedPrice, at, events })
}
