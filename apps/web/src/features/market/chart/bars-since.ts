import type { InstrumentListing } from '@fairlot/contract'
import type { ChartBar } from './chart-port.ts'

/** So many bars fill a phone: of what lies before nobody asks at first. */
const FEW_BARS = 60

/**
 * The moment (epoch ms) at which prices begin, where the chart shows that beginning and little more; null where it shows a past, or
 * the source has one.
 */
export function barsSince(
  bars: readonly ChartBar[],
  { barsSince: since }: Pick<InstrumentListing, 'barsSince'>,
): number | null {
  const [first, second] = bars
  if (since === null || !first || bars.length >= FEW_BARS) return null
  const isShown = first.time <= since && (second === undefined || since < second.time)
  return isShown ? since : null
}
