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
  return success(counts.all, missing, {
    ...options,
    result: `${simulation.steps} steps, seed ${seed}, ${options.seconds.toFixed(1)} s`,
  })
}

type Ended = { readonly result: string } & Pick<ReportOptions, 'demandsEveryState'>

const success = (
  counts: Iterable<readonly [name: string, count: number]>,
  missing: readonly string[],
  { result, demandsEveryState }: Ended,
): Report => ({
  lines: [
    ...[...counts].map(([name, count]) => `  ${name.padEnd(NAME_WIDTH)} ${count}`),
    ...(missing.length > 0 ? [`rare states not reached (${missing.length}): ${missing.join(' · ')}`] : []),
    `${result}: 0 violations, 0 differences`,
  ],
  errors: [],
  exitCode: demandsEveryState && missing.length > 0 ? 1 : 0,
})

/** The same of a simulation of copying. */
export function reportOfCopying(
  { problem, counts }: { readonly problem: string | null; readonly counts: ReadonlyMap<string, number> },
  expected: readonly string[],
  {
    steps,
    seed,
    seconds,
    demandsEveryState,
  }: Omit<ReportOptions, 'episode'> & { readonly steps: number; readonly seed: number },
): Report {
  if (problem !== null) return { lines: [], errors: [problem], exitCode: 1 }
  return success(
    [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    expected.filter((name) => !counts.has(name)),
    { demandsEveryState, result: `${steps} steps, seed ${seed}, ${seconds.toFixed(1)} s` },
  )
}
