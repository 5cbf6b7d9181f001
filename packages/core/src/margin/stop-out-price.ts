/** The price at which an account would be stopped out, with all other prices unchanged. */
import { isStoppedOut, openProfit, type Pricing, type StopOutTerms } from './account-figures.ts'
import { withPosition, type AccountSnapshot, type SnapshotPosition } from '../state/account-snapshot.ts'
import { money, price, type Price } from '../model/number.ts'
import { direction, type Order } from '../model/order.ts'
import { closingPrice, openingPrice, type Quote } from '../model/quote.ts'

/** Searched up to this multiple of the current price. */
const FURTHEST = 16

/**
 * The closing price of a position at which its account reaches the stop-out level; the current price when it is
 * already there. Bid and ask move together, against the position. Null when no positive price brings the account
 * there, for example when other positions gain as much.
 */
export function stopOutPrice(
  pricing: Pricing & StopOutTerms,
  account: AccountSnapshot,
  order: Pick<Order, 'instrumentId' | 'side'>,
): Price | null {
  const quote = pricing.quotes.get(order.instrumentId)
  if (!quote) return null
  const adverseSign = -direction(order.side)
  const isReached = (move: number) => isReachedAt(pricing, account, shiftQuote(quote, adverseSign * move))
  const furthest = adverseSign < 0 ? Math.max(quote.bid - 1, 0) : Math.abs(quote.ask) * FURTHEST
  if (!isReached(0) && !isReached(furthest)) return null
  return price(closingPrice(order.side, quote) + adverseSign * firstReached(furthest, isReached))
}

/**
 * The stop-out price of a position right after it would open at its open price: margin used, fee paid, the market at
 * the open price. Changes nothing.
 */
export function stopOutPriceOnceOpen(
  pricing: Pricing & StopOutTerms,
  account: AccountSnapshot,
  position: SnapshotPosition & Pick<Order, 'fee'>,
): Price | null {
  const quote = pricing.quotes.get(position.instrumentId)
  if (!quote) return null
  const opened = shiftQuote(quote, position.openPrice - openingPrice(position.side, quote))
  const balance = money(account.available.balance - position.fee)
  const paid = { ...account, available: { balance } }
  return stopOutPrice(withQuote(pricing, opened), withPosition(paid, position), position)
}

/** True where a stop loss lies beyond the stop-out price: the account would be stopped out first. */
export const isBeyondStopOutPrice = (
  { side, stopLoss }: Pick<Order, 'side' | 'stopLoss'>,
  stopOut: Price | null,
): boolean =>
  stopLoss !== null && stopOut !== null && (side === 'buy' ? stopLoss < stopOut : stopLoss > stopOut)

/** The smallest sufficient move. Equity is linear in the price or its inverse, so bisection finds it. */
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

const shiftQuote = (quote: Quote, ticks: number): Quote => ({
  ...quote,
  bid: price(quote.bid + ticks),
  ask: price(quote.ask + ticks),
})

function isReachedAt(pricing: Pricing & StopOutTerms, account: AccountSnapshot, quote: Quote): boolean {
  const equity = account.available.balance + openProfit(withQuote(pricing, quote), account)
  return isStoppedOut(pricing, equity, account.margin)
}

/** The same prices except one. */
const withQuote = (
  { instruments, conversionPaths, quotes, settings }: Pricing & StopOutTerms,
  quote: Quote,
): Pricing & StopOutTerms => ({
  instruments,
  conversionPaths,
  settings,
  quotes: { get: (id) => (id === quote.instrumentId ? quote : quotes.get(id)) },
})
