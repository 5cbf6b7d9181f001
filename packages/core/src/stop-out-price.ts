/** At which price an account would be stopped out, every other price standing still. */
import { isStoppedOut, openProfit } from './account.ts'
import { money, price, type Price } from './number.ts'
import { withPosition } from './order-index.ts'
import { direction, type Order, type Position } from './order.ts'
import { closingPrice, openingPrice, type Quote } from './quote.ts'
import type { Account, State } from './state.ts'

/** Searched up to this many times the price of now. */
const FURTHEST = 16

/**
 * The closing price of a position at which its account reaches the stop-out level; the price of now when it is there
 * already. Bid and ask move together, the way this position loses. Null when no price above zero gets the account there:
 * for one, when other positions gain as much.
 */
export function stopOutPrice(state: State, account: Account, order: Order): Price | null {
  const quote = state.quotes.get(order.instrumentId)
  if (!quote) return null
  const way = -direction(order.side)
  const isReached = (move: number) => isReachedAt(state, account, moved(quote, way * move))
  const furthest = way < 0 ? Math.max(quote.bid - 1, 0) : Math.abs(quote.ask) * FURTHEST
  if (!isReached(0) && !isReached(furthest)) return null
  return price(closingPrice(order.side, quote) + way * firstReached(furthest, isReached))
}

/**
 * The stop-out price of a position that is not there yet, as it would be right after it opened at its open price: its
 * margin held, its fee paid, the market moved to where it opens. Changes nothing.
 */
export function stopOutPriceOnceOpen(state: State, account: Account, position: Position): Price | null {
  const quote = state.quotes.get(position.instrumentId)
  if (!quote) return null
  const opened = moved(quote, position.openPrice - openingPrice(position.side, quote))
  const quotes = new Map(state.quotes).set(position.instrumentId, opened)
  const balance = money(account.available.balance - position.fee)
  const paid = { ...account, available: { ...account.available, balance } }
  return stopOutPrice({ ...state, quotes }, withPosition(paid, position), position)
}

/** True where a stop loss lies beyond the stop-out price of its position: the account would be stopped out first. */
export const isBeyond = (
  { side, stopLoss }: Pick<Order, 'side' | 'stopLoss'>,
  stopOut: Price | null,
): boolean =>
  stopLoss !== null && stopOut !== null && (side === 'buy' ? stopLoss < stopOut : stopLoss > stopOut)

/** The smallest move that is enough. Equity is a line in the price or in its inverse, so halving finds it. */
function firstReached(furthest: number, isReached: (move: number) => boolean): number {
  if (isReached(0)) return 0
  let [least, most] = [1, furthest]
  while (least < most) {
    const middle = Math.floor((least + most) / 2)
    if (isReached(middle)) most = middle
    else least = middle + 1
  }
  return least
}

const moved = (quote: Quote, ticks: number): Quote => ({
  ...quote,
  bid: price(quote.bid + ticks),
  ask: price(quote.ask + ticks),
})

function isReachedAt(state: State, account: Account, quote: Quote): boolean {
  const quotes = { get: (id: number) => (id === quote.instrumentId ? quote : state.quotes.get(id)) }
  const equity = account.available.balance + openProfit(state, account, quotes)
  return isStoppedOut(state, equity, account.margin)
}
