/** At which price an account would be stopped out, every other price standing still. */
import { isStoppedOut, openProfit } from './account.ts'
import type { Price } from './number.ts'
import { direction, type Order } from './order.ts'
import { closingPrice, type Quote } from './quote.ts'
import type { Account, State } from './state.ts'

/** Searched up to this many times the price of now. */
const FURTHEST = 16

/**
 * The closing price of a position at which its account reaches the stop-out level. Bid and ask move together. Null when
 * no price above zero gets it there, when the account's positions on the instrument cancel each other out, or when they
 * gain where this one loses.
 */
export function stopOutPrice(state: State, account: Account, order: Order): Price | null {
  const quote = state.quotes.get(order.instrumentId)
  const exposure = account.exposures.get(order.instrumentId)
  if (!quote || !exposure || !isHurtBy(order, exposure)) return null
  const way = -direction(order.side)
  const furthest = way < 0 ? Math.max(quote.bid - 1, 0) : Math.abs(quote.ask) * FURTHEST
  const isReached = (move: number) => isReachedAt(state, account, moved(quote, way * move))
  if (!isReached(furthest)) return null
  return (closingPrice(order.side, quote) + way * firstReached(furthest, isReached)) as Price
}

/** Net long accounts lose on the way down, net short ones on the way up. */
const isHurtBy = (order: Order, net: { longLots: bigint; shortLots: bigint }): boolean =>
  order.side === 'buy' ? net.longLots > net.shortLots : net.shortLots > net.longLots

/** The smallest move that is enough: equity only falls along the way, so halving finds it. */
function firstReached(furthest: number, isReached: (move: number) => boolean): number {
  let [least, most] = [0, furthest]
  while (least < most) {
    const middle = Math.floor((least + most) / 2)
    if (isReached(middle)) most = middle
    else least = middle + 1
  }
  return least
}

const moved = (quote: Quote, ticks: number): Quote => ({
  ...quote,
  bid: (quote.bid + ticks) as Price,
  ask: (quote.ask + ticks) as Price,
})

function isReachedAt(state: State, account: Account, quote: Quote): boolean {
  const quotes = {
    get: (id: number) => (id === quote.instrumentId ? quote : state.quotes.get(id)),
  }
  const equity = account.available.balance + openProfit(state, account, { quotes })
  return isStoppedOut(state, equity, account.margin)
}
