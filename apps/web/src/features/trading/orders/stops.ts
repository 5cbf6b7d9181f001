import type { Decimal, InstrumentListing, OrderView } from '@fairlot/contract'
import { price, toTicks, trailingStart, type Price } from '@fairlot/core'
import { readDecimal } from '@fairlot/core/decimal'
import { priceStep } from '../ticket/stop-steps.ts'

export type StopName = 'stopLoss' | 'takeProfit'

/** A typed stop: nothing, a price, or text that is none. */
type TypedStop = { kind: 'none' } | { kind: 'price'; price: Decimal } | { kind: 'unreadable' }

type PriceRule = Pick<InstrumentListing, 'priceDecimals' | 'allowsNegativePrice'>

/**
 * Reads a stop as typed; a comma counts as the point, and 0 is none, as on the wire. More decimals than the instrument has, or a
 * minus where it has no negative prices, are not a price of it.
 */
export function readStop(text: string, { priceDecimals, allowsNegativePrice }: PriceRule): TypedStop {
  const typed = text.trim().replace(',', '.')
  if (typed === '') return { kind: 'none' }
  const price = readDecimal(typed, priceDecimals)
  if (price === 0) return { kind: 'none' }
  return price === null || (Number(price) < 0 && !allowsNegativePrice)
    ? { kind: 'unreadable' }
    : { kind: 'price', price }
}

/** On which side of the market a stop must lie: a buy's loss and a sell's profit below. */
export const stopSide = (name: StopName, side: OrderView['side']): 'below' | 'above' =>
  (name === 'stopLoss') === (side === 'buy') ? 'below' : 'above'

/** The price a stop is measured from: the closing price, or what a pending order waits for. */
export const stopReference = (
  order: Pick<OrderView, 'status' | 'acceptedPrice' | 'currentPrice'>,
): Decimal | null => (order.status === 'pending' ? order.acceptedPrice : order.currentPrice)

/** A distance offered at first is this many price steps: 0.2 % of the price. */
const OFFERED_STEPS = 20

/** A sensible distance in ticks for a stop to follow at, never nearer than twice the least. */
export const offeredDistance = (now: Price, least: Price): Price =>
  price(Math.max(OFFERED_STEPS * priceStep(now), 2 * least))

/** Where a trailing stop of an order would start at the price of now, in ticks. */
export const startOf = (
  { side, stopLoss, instrument }: Pick<OrderView, 'side' | 'stopLoss' | 'instrument'>,
  now: Price,
  distance: Price,
): Price => {
  const standing = stopLoss === null ? null : toTicks(stopLoss, instrument.priceDecimals)
  return trailingStart({ side, stopLoss: standing }, now, distance)
}
