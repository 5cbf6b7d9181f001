/** Stop-out (trading-rules §4): pending orders first, then positions one by one until the level is above the threshold. */
import {
  figuresOf,
  floatingProfit,
  isPriced,
  isStoppedOut,
  type Pricing,
  type StopOutTerms,
} from './account-figures.ts'
import { closedEvent } from '../orders/decide-fill.ts'
import { tradableMarket, type Market } from '../orders/order-validation.ts'
import type { Event } from '../event.ts'
import { NO_MONEY } from '../money/number.ts'
import { isHolding, type Order, type Position } from '../orders/order.ts'
import { closingPrice } from '../market/quote.ts'
import { quietReceipt, receiptTick, type ReceiptTick } from '../receipt.ts'
import { isRejection } from '../rejection.ts'
import { instrumentsBehind } from './safe-range.ts'
import type { DecisionContext } from '../core.ts'
import type { Account, State } from '../state.ts'

/**
 * The events of a stop-out; none for an account above the level. Each is to be applied before the next is asked for. While
 * no position can be closed, or one has no price yet, the whole waits.
 */
export function* decideStopOut(
  context: DecisionContext,
  account: Account,
  at: number,
): Generator<Event, void> {
  const { state } = context
  if (!isBelow(state, account)) return
  const closable = byLoss(context, account, at)
  if (closable.length === 0) return
  const pending = [...account.orders.values()].filter((order) => order.status === 'pending')
  for (const order of pending.toSorted((a, b) => b.id - a.id)) yield cancelled(state, account, order, at)
  for (const { order, market } of closable) {
    if (!isBelow(state, account)) return
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

function isBelow(state: Pricing & StopOutTerms, account: Account): boolean {
  const { equity, margin } = figuresOf(state, account)
  return isStoppedOut(state, equity, margin) && isPriced(state, account)
}

type Closable = { readonly order: Position; readonly market: Market; readonly profit: bigint }

/** The positions whose market is open and fresh, largest loss first, of equals the older. */
function byLoss(context: DecisionContext, account: Account, at: number): Closable[] {
  const { state } = context
  const closable: Closable[] = []
  for (const order of account.orders.values()) {
    const instrument = state.instruments.get(order.instrumentId)
    if (!instrument || !isHolding(order)) continue
    const market = tradableMarket(context, instrument, at)
    if (isRejection(market)) continue
    closable.push({ order, market, profit: floatingProfit(state, order) ?? NO_MONEY })
  }
  return closable.toSorted((a, b) => Number(a.profit - b.profit) || a.order.id - b.order.id)
}

/** Every price that the equity of an account is worked out from. */
function pricesBehind(state: Pick<Pricing, 'quotes' | 'conversionPaths'>, account: Account): ReceiptTick[] {
  const ids = instrumentsBehind(state, account).toSorted((a, b) => a - b)
  return ids.flatMap((id) => state.quotes.get(id) ?? []).map(receiptTick)
}

function cancelled(state: State, account: Account, order: Order, at: number): Event {
  const about = {
    quote: state.quotes.get(order.instrumentId),
    requestedPrice: order.targetPrice,
    at,
    terms: state.termsVersion,
  }
  const receipt = { ...quietReceipt('cancel', 'stopOut', about), prices: pricesBehind(state, account) }
  return { type: 'orderCancelled', orderId: order.id, accountId: order.accountId, reason: 'stopOut', receipt }
}
