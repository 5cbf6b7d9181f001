/** At which price an account would be stopped out, every other price standing still. */
import { isStoppedOut, openProfit, type Pricing, type StopOutTerms } from './account-figures.ts'
import { withPosition, type AccountSnapshot, type WeighedPosition } from './account-snapshot.ts'
import { money, price, type Price } from '../money/number.ts'
import { direction, type Order } from '../orders/order.ts'
import { closingPrice, openingPrice, type Quote } from '../market/quote.ts'

/** Searched up to this many times the price of now. */
const FURTHEST = 16

/**
 * The closing price of a position at which its account reaches the stop-out level; the price of now when it is there
 * already. Bid and ask move together, the way this position loses. Null when no price above zero gets the account there:
 * for one, when other positions gain as much.
 */
export function stopOutPrice(
  pricing: Pricing & StopOutTerms,
  account: AccountSnapshot,
  order: Pick<Order, 'instrumentId' | 'side'>,
): Price | null {
  const quote = pricing.quotes.get(order.instrumentId)
  if (!quote) return null
  const way = -direction(order.side)
  const isReached = (move: number) => isReachedAt(pricing, account, moved(quote, way * move))
  const furthest = way < 0 ? Math.max(quote.bid - 1, 0) : Math.abs(quote.ask) * FURTHEST
  if (!isReached(0) && !isReached(furthest)) return null
  return price(closingPrice(order.side, quote) + way * firstReached(furthest, isReached))
}

/**
 * The stop-out price of a position that is not there yet, as it would be right after it opened at its open price: its
 * margin held, its fee paid, the market moved to where it opens. Changes nothing.
 */
export function stopOutPriceOnceOpen(
  pricing: Pricing & StopOutTerms,
  account: AccountSnapshot,
  position: WeighedPosition & Pick<Order, 'fee'>,
): Price | null {
  const quote = pricing.quotes.get(position.instrumentId)
  if (!quote) return null
  const opened = moved(quote, position.openPrice - openingPrice(position.side, quote))
  const balance = money(account.available.balance - position.fee)
  const paid = { ...account, available: { balance } }
  return stopOutPrice(pricedAt(pricing, opened), withPosition(paid, position), position)
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

function isReachedAt(pricing: Pricing & StopOutTerms, account: AccountSnapshot, quote: Quote): boolean {
  const equity = account.available.balance + openProfit(pricedAt(pricing, quote), account)
  return isStoppedOut(pricing, equity, account.margin)
}

/** The same prices but for one. */
const pricedAt = (
  { instruments, conversionPaths, quotes, settings }: Pricing & StopOutTerms,
  quote: Quote,
): Pricing & StopOutTerms => ({
  ...{ instruments, conversionPaths, settings },
  quotes: { get: (id) => (id === quote.instrumentId ? quote : quotes.get(id)) },
})
