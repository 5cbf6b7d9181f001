/** What a trigger that a tick or the clock has reached leads to. */
import { conversionOf, figuresOf } from './account.ts'
import { closedEvent, costOf, openedEvent } from './decide-fill.ts'
import { freshQuote, tradableMarket, type Market } from './decide-order.ts'
import { isHolding } from './decide.ts'
import type { Event, OrderTerms } from './event.ts'
import { money, type Price } from './number.ts'
import type { Order } from './order.ts'
import { openingPrice, type Quote } from './quote.ts'
import { quietReceipt } from './receipt.ts'
import { isRejection } from './rejection.ts'
import type { Account, State } from './state.ts'
import type { Trigger } from './trigger-heap.ts'

/**
 * The events of one trigger; none while the market is closed, the tick is stale or, for an opening, its conversion is: it
 * stays and fires later.
 */
export function decideTrigger(state: State, trigger: Trigger, at: number): Event[] {
  const order = state.orders.get(trigger.orderId)
  const account = order && state.accounts.get(order.accountId)
  if (!order || !account) return []
  switch (trigger.kind) {
    case 'target':
      return decideTarget(state, account, order, at)
    case 'expiry':
      return decideExpiry(state, order, at)
    case 'takeProfit':
    case 'stopLoss':
      return decideStop(state, account, order, trigger.kind, at)
  }
}

/** Reserve out, margin and fee at the fill price in; too little money ends the order without a fee. */
function decideTarget(state: State, account: Account, order: Order, at: number): Event[] {
  const instrument = state.instruments.get(order.instrumentId)
  if (!instrument || order.targetPrice === null) return []
  const market = tradableMarket(state, instrument, at)
  if (isRejection(market)) return []
  const cost = costOf(state, market, { ...order, price: openingPrice(order.side, market.quote) })
  const free = figuresOf(state, account).free + order.margin + order.fee
  if (cost.margin + cost.fee > free || openingPrice(order.side, market.quote) <= 0) {
    return [cancelled(order, 'notEnoughAtTrigger', market.quote, at)]
  }
  return [openTriggered(account, order, { market, cost, at, targetPrice: order.targetPrice })]
}

function openTriggered(
  account: Account,
  order: Order,
  fill: { market: Market; cost: Pick<OrderTerms, 'margin' | 'fee'>; at: number; targetPrice: Price },
): Event {
  const terms: OrderTerms = {
    orderId: order.id,
    accountId: order.accountId,
    instrumentId: order.instrumentId,
    side: order.side,
    kind: order.kind,
    lots: order.lots,
    leverage: order.leverage,
    targetPrice: order.targetPrice,
    acceptedPrice: order.acceptedPrice,
    takeProfit: order.takeProfit,
    stopLoss: order.stopLoss,
    expiresAt: order.expiresAt,
    createdAt: order.createdAt,
    margin: money(fill.cost.margin),
    fee: money(fill.cost.fee),
  }
  const { market, at, targetPrice } = fill
  return openedEvent(account, terms, { market, trigger: 'target', requestedPrice: targetPrice, at })
}

function decideStop(
  state: State,
  account: Account,
  order: Order,
  reason: 'takeProfit' | 'stopLoss',
  at: number,
): Event[] {
  const instrument = state.instruments.get(order.instrumentId)
  const quote = instrument && freshQuote(state, instrument, at)
  const requestedPrice = order[reason]
  if (!instrument || !quote || requestedPrice === null || !isHolding(order)) return []
  const conversion = conversionOf(state, instrument)
  if (!conversion || !state.isOpen(instrument, at)) return []
  return [
    closedEvent(account, order, {
      instrument,
      quote,
      conversion,
      reason,
      trigger: reason,
      requestedPrice,
      at,
    }),
  ]
}

const decideExpiry = (state: State, order: Order, at: number): Event[] => [
  cancelled(order, 'expired', state.quotes.get(order.instrumentId), at),
]

function cancelled(
  order: Order,
  reason: 'expired' | 'notEnoughAtTrigger',
  quote: Quote | undefined,
  at: number,
): Event {
  const trigger = reason === 'expired' ? 'expiry' : 'target'
  const receipt = quietReceipt('cancel', trigger, { quote, requestedPrice: order.targetPrice, at })
  return { type: 'orderCancelled', orderId: order.id, accountId: order.accountId, reason, receipt }
}
