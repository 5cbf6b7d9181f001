/** Stop-out (trading-rules §4): pending orders first, then positions one by one until the level is above the threshold. */
import {
  figuresOf,
  floatingProfit,
  isPriced,
  isStoppedOut,
  type Pricing,
  type StopOutTerms,
} from '../margin/account-figures.ts'
import { closedEvent } from './fill.ts'
import { tradableMarket, type Market } from './tradable-market.ts'
import type { Event } from '../model/event.ts'
import { NO_MONEY } from '../model/number.ts'
import { isPosition, type Order, type Position } from '../model/order.ts'
import { closingPrice } from '../model/quote.ts'
import { quietReceipt, receiptTick, type ReceiptTick } from '../model/receipt.ts'
import { isRejection } from '../model/rejection.ts'
import { instrumentsBehind } from '../margin/stop-out-price-band.ts'
import type { DecisionContext } from '../state/running-core.ts'
import type { Account, State } from '../state/state.ts'

/**
 * The events of a stop-out; none for an account above the level. Each must be applied before the next is requested.
 * While no position can be closed, or one has no price yet, the stop-out waits.
 */
export function* decideStopOut(
  context: DecisionContext,
  account: Account,
  at: number,
): Generator<Event, void> {
  const { state } = context
  if (!isBelowStopOut(state, account)) return
  const closable = closableByLoss(context, account, at)
  if (closable.length === 0) return
  const pending = [...account.orders.values()].filter((order) => order.status === 'pending')
  for (const order of pending.toSorted((a, b) => b.id - a.id)) yield cancelEvent(state, account, order, at)
  for (const { order, market } of closable) {
    if (!isBelowStopOut(state, account)) return
    const prices = pricesBehind(state, account)
    const closed = closedEvent(account, order, {
      ...market,
      reason: 'stopOut',
      trigger: 'stopOut',
      requestedPrice: closingPrice(order.side, market.quote),
      at,
    })
    yield { ...closed, receipt: { ...closed.receipt, prices } }
  }
}

function isBelowStopOut(state: Pricing & StopOutTerms, account: Account): boolean {
  const { equity, margin } = figuresOf(state, account)
  return isStoppedOut(state, equity, margin) && isPriced(state, account)
}

type Closable = { readonly order: Position; readonly market: Market; readonly profit: bigint }

/** The positions on open markets with fresh prices, largest loss first, for equal ones the older. */
function closableByLoss(context: DecisionContext, account: Account, at: number): Closable[] {
  const { state } = context
  const closable: Closable[] = []
  for (const order of account.orders.values()) {
    const instrument = state.instruments.get(order.instrumentId)
    if (!instrument || !isPosition(order)) continue
    const market = tradableMarket(context, instrument, at, 'closing')
    if (isRejection(market)) continue
    closable.push({ order, market, profit: floatingProfit(state, order) ?? NO_MONEY })
  }
  return closable.toSorted((a, b) => Number(a.profit - b.profit) || a.order.id - b.order.id)
}

/** Every price used for the equity of an account. */
export function pricesBehind(
  state: Pick<Pricing, 'quotes' | 'conversionPaths'>,
  account: Account,
): ReceiptTick[] {
  const ids = instrumentsBehind(state, account).toSorted((a, b) => a - b)
  return ids.flatMap((id) => state.quotes.get(id) ?? []).map(receiptTick)
}

function cancelEvent(state: State, account: Account, order: Order, at: number): Event {
  const about = {
    quote: state.quotes.get(order.instrumentId),
    requestedPrice: order.targetPrice,
    at,
    terms: state.termsVersion,
    rules: state.rulesVersion,
  }
  const receipt = { ...quietReceipt('cancel', 'stopOut', about), prices: pricesBehind(state, account) }
  return { type: 'orderCancelled', orderId: order.id, accountId: order.accountId, reason: 'stopOut', receipt }
}
