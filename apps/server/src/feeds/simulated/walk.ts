import type { Model, Process } from './model.ts'
import { createRandom } from './random.ts'

/** Simulated markets run around the clock: a year of volatility is a whole one. */
export const YEAR_MS = 31_557_600_000
/** Pull towards the anchor: half of a distance is gone in twelve weeks. */
const REVERSION_PER_YEAR = 3

/** One exact step of the Ornstein-Uhlenbeck process: what remains of the distance, and the deviation at volatility 1. */
export type Step = { readonly decay: number; readonly deviation: number }

/** A path's spread does not depend on how it is cut into steps (Gillespie, Physical Review E 54, 1996). */
export function stepOf(dtMs: number): Step {
  const pull = REVERSION_PER_YEAR * (dtMs / YEAR_MS)
  const deviation = Math.sqrt(-Math.expm1(-2 * pull) / (2 * REVERSION_PER_YEAR))
  return { decay: Math.exp(-pull), deviation }
}

/** Where a process stands after a step, given two standard normal deviates: its group's and its own. */
export function moved(process: Process, value: number, step: Step, ofGroup: number, own: number): number {
  const shock = Math.sqrt(process.groupShare) * ofGroup + Math.sqrt(1 - process.groupShare) * own
  return process.anchor + (value - process.anchor) * step.decay + process.volatility * step.deviation * shock
}

/** The processes of a model, moving. */
export type Walk = {
  /** Moves every process by `dtMs`. */
  step(dtMs: number): void
  /** Logarithm of an instrument's price now. */
  log(code: string): number
}

export function createWalk(model: Model, seed: string): Walk {
  const values = new Map(model.processes.map((process) => [process, process.start]))
  const owns = model.processes.map((process) => ({
    process,
    random: createRandom(seed, `live:${process.name}`),
  }))
  const groups = new Map(
    model.processes.map(({ group }) => [group, createRandom(seed, `live:group:${group}`)]),
  )
  const valueOf = (process: Process | null) => (process ? (values.get(process) ?? process.start) : 0)
  return {
    step(dtMs) {
      const step = stepOf(dtMs)
      const shocks = new Map([...groups].map(([group, random]) => [group, random.normal()]))
      for (const { process, random } of owns) {
        const ofGroup = shocks.get(process.group) ?? 0
        values.set(process, moved(process, valueOf(process), step, ofGroup, random.normal()))
      }
    },
    log(code) {
      const legs = model.legsOf.get(code)
      return legs ? valueOf(legs.base) - valueOf(legs.quote) : Number.NaN
    },
  }
}
