import { type Core, takeDeferredOrders, TICK_REFUSALS } from '@fairlot/core'
import type { Clock } from './feeds/feed.ts'
import type { InstrumentRegistry } from './instrument-registry.ts'
import type { TickIntake } from './tick-intake.ts'

/** Most orders named in one sentence. */
const MAX_NAMED = 20

/**
 * Orders since the last call whose amounts are too large to be booked, so that a booking waits, as one sentence for the
 * operator; null for none.
 */
export function unbookableReport(core: Pick<Core, 'deferredOrders'>): string | null {
  const ids = takeDeferredOrders(core)
  if (ids.length === 0) return null
  const rest = ids.length - MAX_NAMED
  const named = ids.slice(0, MAX_NAMED).join(', ')
  return `not booked, because the amounts are larger than can be booked: order ${named}${rest > 0 ? ` and ${rest} more` : ''}; look at the prices of their instruments`
}

/** A forward jump of the market clock since the last call, as one sentence for the operator; null for none. */
export function clockJumpReport(clock: Clock): string | null {
  const seconds = Math.round((clock.takeJumps?.() ?? 0) / 1_000)
  return seconds > 0 ? `the market clock has followed the machine's, which jumped ${seconds} s forward` : null
}

/**
 * Returns a function that reports the ticks refused since its last call as one sentence; null for none. Ticks outside
 * trading hours are no fault: the desk counts them.
 */
export function createRefusedTicksReport(
  registry: InstrumentRegistry,
  intake: TickIntake,
): () => string | null {
  const reported = new Map<string, number>()
  const sinceLast = (what: string, count: number): string[] => {
    const fresh = count - (reported.get(what) ?? 0)
    reported.set(what, count)
    return fresh > 0 ? [`${what} ${fresh}`] : []
  }
  const report = () => {
    const known = registry.instruments.flatMap(({ instrument }) => {
      const refusals = intake.refusals(instrument.id)
      return TICK_REFUSALS.filter((reason) => reason !== 'outsideHours').flatMap((reason) =>
        sinceLast(`${instrument.code} ${reason}`, refusals[reason]),
      )
    })
    const all = [...known, ...sinceLast('instruments that nobody offers', intake.unknownCount())]
    return all.length === 0 ? null : `refused ticks: ${all.join(', ')}`
  }
  // Counts of earlier runs are not reported.
  report()
  return report
}
