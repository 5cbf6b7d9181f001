import { toTicks, type OrderView } from '@fairlot/contract'
import { direction, larger, price, smaller, type Price } from '@fairlot/core'
import { priceStep } from '../ticket/stop-steps.ts'

/** A distance offered at first is this many price steps: 0.2 % of the price. */
const OFFERED_STEPS = 20

/** A sensible distance in ticks for a stop to follow at, never nearer than twice the least. */
export const offeredDistance = (now: Price, least: Price): Price =>
  price(Math.max(OFFERED_STEPS * priceStep(now), 2 * least))

/** Where a trailing stop would start: at its distance, unless the stop that stands risks less. In ticks. */
export function trailingStart(
  { side, stopLoss, instrument }: Pick<OrderView, 'side' | 'stopLoss' | 'instrument'>,
  now: Price,
  distance: Price,
): Price {
  const started = price(now - direction(side) * distance)
  const standing = stopLoss === null ? null : toTicks(stopLoss, instrument.priceDecimals)
  if (standing === null) return started
  return side === 'buy' ? larger(standing, started) : smaller(standing, started)
}
