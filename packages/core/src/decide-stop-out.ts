/** Stop-out (trading-rules §4): pending orders first, then positions one by one until the level is above the threshold. */
import { figuresOf, floatingProfit, isStoppedOut } from './account.ts'
import { closedEvent } from './decide-fill.ts'
import { tradableMarket, type Market } from './decide-order.ts'
import type { Event } from './event.ts'
import { NO_MONEY } from './number.ts'
import { isHolding, type Order, type Position } from './order.ts'
import { closingPrice } from './quote.ts'
import { quietReceipt } from './receipt.ts'
import { isRejection } from './rejection.ts'
import type { Account, State } from './state.ts'

/** The next event of a stop-out; null when the account is above the level, or when nothing more can be closed now. */
export function decideStopOut(state: State, account: Account, at: number): Event | null {
  const { equity, margin } = figuresOf(state, account)
  if (!isStoppedOut(state, equity, margin)) return null
  const pending = newestPending(account)
  if (pending) return cancelled(state, pending, at)
  const worst = worstPosition(state, account, at)
  if (!worst) return null
  const { order, market } = worst
  return closedEvent(account, order, {
    ...market,
    reason: 'stopOut',
    trigger: 'stopOut',
    requestedPrice: closingPrice(order.side, market.quote),
    at,
  })
}

function newestPending(account: Account): Order | null {
  let newest: Order | null = null
  for (const order of account.orders.values()) {
    if (order.status === 'pending' && order.id > (newest?.id ?? 0)) newest = order
  }
  return newest
}

function cancelled(state: State, order: Order, at: number): Event {
  const about = { quote: state.quotes.get(order.instrumentId), requestedPrice: order.targetPrice, at }
  const receipt = quietReceipt('cancel', 'stopOut', about)
  return { type: 'orderCancelled', orderId: order.id, accountId: order.accountId, reason: 'stopOut', receipt }
}

type Closable = { order: Position; market: Market; profit: bigint }

/** The largest loss among the positions whose market is open and fresh; of equals the older. */
function worstPosition(state: State, account: Account, at: number): Closable | null {
  let worst: Closable | null = null
  for (const order of account.orders.values()) {
    const instrument = state.instruments.get(order.instrumentId)
    if (!instrument || !isHolding(order)) continue
    const market = tradableMarket(state, instrument, at)
    if (isRejection(market)) continue
    const profit = floatingProfit(state, order) ?? NO_MONEY
    const isWorse = !worst || profit < worst.profit || (profit === worst.profit && order.id < worst.order.id)
    if (isWorse) worst = { order, market, profit }
  }
  return worst
}
