/** The effects of triggers reached by a tick or the clock. */
import { conversionOf, figuresOf, isPriced } from '../margin/account-figures.ts'
import { closedEvent, costOf, openedEvent, termsOf } from './fill.ts'
import { freshQuote, tradableMarket, tradingRejection, type Market } from './tradable-market.ts'
import type { Conversion } from '../model/currency-conversion.ts'
import type { Event, OrderTerms } from '../model/event.ts'
import { money, type Price } from '../model/number.ts'
import { isPosition, isStopPassed, type Order, type Side } from '../model/order.ts'
import { closingPrice, openingPrice, type Quote } from '../model/quote.ts'
import { quietReceipt } from '../model/receipt.ts'
import { isRejection } from '../model/rejection.ts'
import { hasOrderKinds } from '../model/rules.ts'
import { mayBeUnsettled, settle } from '../accounts/due-work.ts'
import type { Core, DecisionContext } from '../state/running-core.ts'
import type { Account, State } from '../state/state.ts'
import type { Steps } from '../state/work-in-steps.ts'
import type { Trigger } from '../state/trigger-book.ts'

/** Fires triggers in turn; due work of an account comes before them. */
export function* fire(core: Core, triggers: readonly Trigger[], at: number): Steps {
  for (const trigger of triggers) {
    const account = accountOf(core.state, trigger.orderId)
    if (account && mayBeUnsettled(core)) yield* settle(core, account, at)
    yield account ? decideTrigger(core, account, trigger, at) : null
  }
}

function accountOf({ orders, accounts }: State, orderId: number): Account | undefined {
  const order = orders.get(orderId)
  return order && accounts.get(order.accountId)
}

/**
 * The event of one trigger; none while the market is closed, the tick is stale or, for an opening, its conversion is:
 * it stays and fires later.
 */
function decideTrigger(
  context: DecisionContext,
  account: Account,
  trigger: Trigger,
  at: number,
): Event | null {
  const { state } = context
  const order = account.orders.get(trigger.orderId)
  if (!order) return null
  switch (trigger.kind) {
    case 'target':
      return decideTarget(context, account, order, at)
    case 'expiry':
      return decideExpiry(state, order, at)
    case 'trail':
      // Trailing stops move together: see `trail`.
      return null
    case 'takeProfit':
    case 'stopLoss':
      return decideStop(context, account, order, trigger.kind, at)
  }
}

/**
 * Releases the reserve and uses margin and fee at the fill price; without enough money the order is cancelled without
 * a fee.
 */
function decideTarget(context: DecisionContext, account: Account, order: Order, at: number): Event | null {
  const { state } = context
  const instrument = state.instruments.get(order.instrumentId)
  if (!instrument || order.targetPrice === null) return null
  const market = tradableMarket(context, instrument, at, 'opening')
  if (isRejection(market) || !isPriced(state, account)) return null
  if (hasOrderKinds(state) && isStopPassed(order, pricesFor(order.side, market.quote)))
    return cancelEvent(order, 'stopPassed', market, at)
  const cost = costOf(state.settings, market, { ...order, price: openingPrice(order.side, market.quote) })
  const free = figuresOf(state, account).free + order.margin + order.fee
  if (cost.margin + cost.fee > free || openingPrice(order.side, market.quote) <= 0) {
    return cancelEvent(order, 'notEnoughAtTrigger', market, at)
  }
  return openTriggered(account, order, { market, cost, at, targetPrice: order.targetPrice })
}

const pricesFor = (side: Side, quote: Quote) => ({
  opening: openingPrice(side, quote),
  closing: closingPrice(side, quote),
})

function openTriggered(
  account: Account,
  order: Order,
  fill: { market: Market; cost: Pick<OrderTerms, 'margin' | 'fee'>; at: number; targetPrice: Price },
): Event {
  const terms = { ...termsOf(order), margin: money(fill.cost.margin), fee: money(fill.cost.fee) }
  const { market, at, targetPrice } = fill
  return openedEvent(account, terms, { market, trigger: 'target', requestedPrice: targetPrice, at })
}

function decideStop(
  context: DecisionContext,
  account: Account,
  order: Order,
  reason: 'takeProfit' | 'stopLoss',
  at: number,
): Event | null {
  const { state } = context
  const instrument = state.instruments.get(order.instrumentId)
  const quote = instrument && freshQuote(state, instrument, at)
  const requestedPrice = order[reason]
  if (!instrument || !quote || requestedPrice === null || !isPosition(order)) return null
  const conversion = conversionOf(state, instrument)
  // A stop already passed at the fill triggers on the next tick.
  if (order.openedSeq === quote.seq) return null
  if (!conversion || tradingRejection(context, instrument, at, 'closing')) return null
  return closedEvent(account, order, {
    instrument,
    quote,
    conversion,
    reason,
    trigger: reason,
    requestedPrice,
    at,
    terms: state.termsVersion,
    rules: state.rulesVersion,
  })
}

const decideExpiry = (
  { quotes, termsVersion, rulesVersion }: Pick<State, 'quotes' | 'termsVersion' | 'rulesVersion'>,
  order: Order,
  at: number,
): Event =>
  cancelEvent(
    order,
    'expired',
    { quote: quotes.get(order.instrumentId), terms: termsVersion, rules: rulesVersion },
    at,
  )

function cancelEvent(
  order: Order,
  reason: 'expired' | 'notEnoughAtTrigger' | 'stopPassed',
  market: { quote: Quote | undefined; conversion?: Conversion; terms: number; rules: number },
  at: number,
): Event {
  const trigger = reason === 'expired' ? 'expiry' : 'target'
  const receipt = quietReceipt('cancel', trigger, { ...market, requestedPrice: order.targetPrice, at })
  return { type: 'orderCancelled', orderId: order.id, accountId: order.accountId, reason, receipt }
}
