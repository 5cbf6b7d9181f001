import { TICK_REFUSALS } from '@fairlot/core'
import type { Catalogue } from './catalogue.ts'
import type { TickIntake } from './tick-intake.ts'

/**
 * Tells an operator which ticks have been refused since it was asked last, as one sentence; null when there were none.
 */
export function createRefusedTicksReport(catalogue: Catalogue, intake: TickIntake): () => string | null {
  const told = new Map<string, number>()
  const sinceLast = (what: string, count: number): string[] => {
    const fresh = count - (told.get(what) ?? 0)
    told.set(what, count)
    return fresh > 0 ? [`${what} ${fresh}`] : []
  }
  return () => {
    const known = catalogue.instruments.flatMap(({ instrument }) => {
      const refusals = intake.refusals(instrument.id)
      return TICK_REFUSALS.flatMap((reason) => sinceLast(`${instrument.code} ${reason}`, refusals[reason]))
    })
    const all = [...known, ...sinceLast('instruments that nobody offers', intake.unknownCount())]
    return all.length === 0 ? null : `refused ticks: ${all.join(', ')}`
  }
}
