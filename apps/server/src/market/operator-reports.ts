import { type Core, takeWithheld, TICK_REFUSALS } from '@fairlot/core'
import type { InstrumentRegistry } from './instrument-registry.ts'
import type { TickIntake } from './tick-intake.ts'

/** Most orders that one sentence names. */
const MOST_NAMED = 20

/**
 * Tells an operator of orders for which something waits because its amounts are larger than can be booked, since it was
 * asked last, as one sentence; null when there are none.
 */
export function unbookableReport(core: Pick<Core, 'withheld'>): string | null {
  const ids = takeWithheld(core)
  if (ids.length === 0) return null
  const rest = ids.length - MOST_NAMED
  const named = ids.slice(0, MOST_NAMED).join(', ')
  return `not booked, because the amounts are larger than can be booked: order ${named}${rest > 0 ? ` and ${rest} more` : ''}; look at the prices of their instruments`
}

/**
 * Tells an operator which ticks have been refused since it was asked last, as one sentence; null when there were none.
 */
export function createRefusedTicksReport(
  registry: InstrumentRegistry,
  intake: TickIntake,
): () => string | null {
  const told = new Map<string, number>()
  const sinceLast = (what: string, count: number): string[] => {
    const fresh = count - (told.get(what) ?? 0)
    told.set(what, count)
    return fresh > 0 ? [`${what} ${fresh}`] : []
  }
  const report = () => {
    const known = registry.instruments.flatMap(({ instrument }) => {
      const refusals = intake.refusals(instrument.id)
      return TICK_REFUSALS.flatMap((reason) => sinceLast(`${instrument.code} ${reason}`, refusals[reason]))
    })
    const all = [...known, ...sinceLast('instruments that nobody offers', intake.unknownCount())]
    return all.length === 0 ? null : `refused ticks: ${all.join(', ')}`
  }
  // What the runs before have counted is no news.
  report()
  return report
}
