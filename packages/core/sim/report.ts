/** What a simulation prints at its end, and its exit code. */
import { neverReached } from './counts.ts'
import type { Simulation } from './simulate.ts'

const NAME_WIDTH = 50

export type ReportOptions = {
  /** A single episode is not expected to reach every state. */
  readonly episode: number | undefined
  /** A rare state that was not reached counts as a failure. */
  readonly demandsEveryState: boolean
  readonly seconds: number
}

export type Report = {
  readonly lines: readonly string[]
  readonly errors: readonly string[]
  readonly exitCode: 0 | 1
}

export function reportOf(simulation: Simulation, wanted: number, options: ReportOptions): Report {
  const { trouble, counts, seed } = simulation
  if (trouble) {
    const { episode, step, command, problems } = trouble
    const place = `episode ${episode}, step ${step}, command ${command}`
    const again = `again: npm run sim -- --steps ${wanted} --seed ${seed} --episode ${episode}`
    return { lines: [], errors: ['', place, ...problems, '', again], exitCode: 1 }
  }
  const missing = options.episode === undefined ? neverReached(counts) : []
  const result = `${simulation.steps} steps, seed ${seed}, ${options.seconds.toFixed(1)} s: 0 violations, 0 differences`
  return {
    lines: [
      ...[...counts.all].map(([name, count]) => `  ${name.padEnd(NAME_WIDTH)} ${count}`),
      ...(missing.length > 0 ? [`rare states not reached (${missing.length}): ${missing.join(' · ')}`] : []),
      result,
    ],
    errors: [],
    exitCode: options.demandsEveryState && missing.length > 0 ? 1 : 0,
  }
}
