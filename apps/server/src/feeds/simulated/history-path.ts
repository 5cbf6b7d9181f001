import type { Legs, Process } from './model.ts'
import { createRandom } from './random.ts'
import { moved, stepOf, type Step } from './walk.ts'

/** Moments looked at inside a slot, its end included: they make highs and lows, the same moments for all instruments. */
export const MOMENTS = 4

export type LogPaths = {
  /** Logarithms of an instrument's price, oldest first: one at the first edge, then `MOMENTS` for each slot. */
  of(legs: Legs): Float64Array
}

/**
 * Paths over slots with the given edges (epoch ms) that end where the processes start. In its steady state the walk is
 * alike in both directions of time, so the past is walked backwards from the present.
 */
export function createLogPaths(edges: readonly number[], seed: string): LogPaths {
  const steps = backwardSteps(edges)
  const shocksOf = remembered((group: string) => normals(steps.length, seed, `history:group:${group}`))
  const pathOf = remembered((process: Process) => walkedBack(process, steps, shocksOf(process.group), seed))
  const still = new Float64Array(steps.length + 1)
  return {
    of({ base, quote }) {
      const minus = quote ? pathOf(quote) : still
      return (base ? pathOf(base) : still).map((log, index) => log - (minus[index] ?? 0))
    },
  }
}

/** The step of each moment, the latest first. */
function backwardSteps(edges: readonly number[]): Step[] {
  const known = remembered((lengthMs: number) => stepOf(lengthMs / MOMENTS))
  const steps: Step[] = []
  for (let slot = edges.length - 2; slot >= 0; slot--) {
    const step = known((edges[slot + 1] ?? 0) - (edges[slot] ?? 0))
    for (let moment = 0; moment < MOMENTS; moment++) steps.push(step)
  }
  return steps
}

function walkedBack(
  process: Process,
  steps: readonly Step[],
  shocks: Float64Array,
  seed: string,
): Float64Array {
  const own = normals(steps.length, seed, `history:${process.name}`)
  const path = new Float64Array(steps.length + 1)
  let value = process.start
  path[steps.length] = value
  let index = steps.length
  for (const step of steps) {
    const back = steps.length - index
    value = moved(process, value, step, shocks[back] ?? 0, own[back] ?? 0)
    path[--index] = value
  }
  return path
}

function normals(count: number, seed: string, stream: string): Float64Array {
  const random = createRandom(seed, stream)
  return new Float64Array(count).map(() => random.normal())
}

function remembered<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const value = make(key)
    made.set(key, value)
    return value
  }
}
