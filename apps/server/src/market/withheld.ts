import { takeWithheld, type State } from '@fairlot/core'

/** Most orders that one sentence names. */
const MOST_NAMED = 20

/**
 * Tells an operator of orders for which something waits because its amounts are larger than can be booked, since it was
 * asked last, as one sentence; null when there are none.
 */
export function withheldReport(state: State): string | null {
  const ids = takeWithheld(state)
  if (ids.length === 0) return null
  const rest = ids.length - MOST_NAMED
  const named = ids.slice(0, MOST_NAMED).join(', ')
  return `not booked, because the amounts are larger than can be booked: order ${named}${rest > 0 ? ` and ${rest} more` : ''}; look at the prices of their instruments`
}
