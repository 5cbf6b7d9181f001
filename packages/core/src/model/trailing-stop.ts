/** A trailing stop: a stop loss that follows the closing price at a distance and never moves away. In ticks. */
import { larger, price, smaller, type Price } from './number.ts'
import { direction, type Order, type Side } from './order.ts'

/** The stop loss at a distance from the closing price: below it for a buy, above it for a sell. */
export const stopAtDistance = (side: Side, closing: Price, distance: Price): Price =>
  price(closing - direction(side) * distance)

/** Where trailing starts: at the distance from the closing price, or at the current stop loss if that is nearer. */
export function trailingStart(
  { side, stopLoss }: { readonly side: Side; readonly stopLoss: Price | null },
  closing: Price,
  distance: Price,
): Price {
  const started = stopAtDistance(side, closing, distance)
  if (stopLoss === null) return started
  return side === 'buy' ? larger(stopLoss, started) : smaller(stopLoss, started)
}

/** The closing price at which a trailing stop next moves, by one tick; null where none trails. */
export function nextTrailLevel(order: Pick<Order, 'side' | 'stopLoss' | 'trailingDistance'>): number | null {
  if (order.trailingDistance === null || order.stopLoss === null) return null
  return order.side === 'buy'
    ? order.stopLoss + order.trailingDistance + 1
    : order.stopLoss - order.trailingDistance - 1
}
