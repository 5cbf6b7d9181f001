/** What a trigger that a tick or the clock has reached leads to. */
import { conversionOf, figuresOf, isPriced } from '../margin/account-figures.ts'
import { closedEvent, costOf, openedEvent, termsOf } from './decide-fill.ts'
import { freshQuote, tradableMarket, tradingRejection, type Market } from './order-validation.ts'
import type { Conversion } from '../money/currency-conversion.ts'
import type { Event, OrderTerms } from '../event.ts'
import { money, type Price } from '../money/number.ts'
import { isHolding, type Order } from './order.ts'
import { openingPrice, type Quote } from '../market/quote.ts'
import { quietReceipt, receiptTick } from '../receipt.ts'
import { isRejection } from '../rejection.ts'
import { mayBeUnsettled, settle } from '../due-work/sweep.ts'
import type { Core, DecisionContext } from '../core.ts'
import type { Account, State } from '../state.ts'
import type { Steps } from '../steps.ts'
import type { Trigger, TriggerBook } from './trigger-book.ts'

/** Fires triggers in turn; what is due on an account comes before what it decides. */
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
 * The event of one trigger; none while the market is closed, the tick is stale or, for an opening, its conversion is: it
 * stays and fires later.
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
      // They move together, see `trail`.
      return null
    case 'takeProfit':
    case 'stopLoss':
      return decideStop(context, account, order, trigger.kind, at)
  }
}

/** Reserve out, margin and fee at the fill price in; too little money ends the order without a fee. */
function decideTarget(context: DecisionContext, account: Account, order: Order, at: number): Event | null {
  const { state } = context
  const instrument = state.instruments.get(order.instrumentId)
  if (!instrument || order.targetPrice === null) return null
  const market = tradableMarket(context, instrument, at)
  if (isRejection(market) || !isPriced(state, account)) return null
  const cost = costOf(state.settings, market, { ...order, price: openingPrice(order.side, market.quote) })
  const free = figuresOf(state, account).free + order.margin + order.fee
  if (cost.margin + cost.fee > free || openingPrice(order.side, market.quote) <= 0) {
    return cancelled(order, 'notEnoughAtTrigger', market, at)
  }
  return openTriggered(account, order, { market, cost, at, targetPrice: order.targetPrice })
}

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
  if (!instrument || !quote || requestedPrice === null || !isHolding(order)) return null
  const conversion = conversionOf(state, instrument)
  // A stop already passed at the fill acts at the next tick.
  if (order.openedSeq === quote.seq) return null
  if (!conversion || tradingRejection(context, instrument, at)) return null
  return closedEvent(account, order, {
    instrument,
    quote,
    conversion,
    reason,
    trigger: reason,
    requestedPrice,
    at,
    terms: state.termsVersion,
  })
}

/** All trailing stops of an instrument that a tick is better for move in one event. */
export function* trail(triggers: TriggerBook, quote: Quote): Steps {
  if (triggers.trailing(quote).length === 0) return
  yield { type: 'trailingMoved', instrumentId: quote.instrumentId, tick: receiptTick(quote) }
}

const decideExpiry = (
  { quotes, termsVersion }: Pick<State, 'quotes' | 'termsVersion'>,
  order: Order,
  at: number,
): Event => cancelled(order, 'expired', { quote: quotes.get(order.instrumentId), terms: termsVersion }, at)

function cancelled(
  order: Order,
  reason: 'expired' | 'notEnoughAtTrigger',
  market: { quote: Quote | undefined; conversion?: Conversion; terms: number },
  at: number,
): Event {
  const trigger = reason === 'expired' ? 'expiry' : 'target'
  const receipt = quietReceipt('cancel', trigger, { ...market, requestedPrice: order.targetPrice, at })
  return { type: 'orderCancelled', orderId: order.id, accountId: order.accountId, reason, receipt }
}
