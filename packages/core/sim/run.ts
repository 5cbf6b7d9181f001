/**
 * `npm run sim -- [--steps N] [--seed S] [--episode N] [--every-state]`: runs the simulation and prints what it
 * reached. Exits with 1 after a violation or a difference; with `--every-state` also when a rare state was not
 * reached. `--copies N` simulates copying instead: one provider with so many copies, or two providers with 0.
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { crowdOf, EXPECTED, FEW, simulateCopying } from './copying/simulate-copying.ts'
import { reportOf, reportOfCopying, type Report } from './report.ts'
import { simulate } from './simulate.ts'

const DEFAULT_STEPS = 1_000_000
const DEFAULT_COPYING_STEPS = 10_000

function readNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0)
    throw new Error(`--${name} must be a non-negative integer, not "${text}"`)
  return value
}

function main(): number {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: {
      steps: text,
      seed: text,
      episode: text,
      copies: text,
      'every-state': { type: 'boolean', default: false },
    },
  })
  const copies = readNumber('copies', values.copies)
  const steps =
    readNumber('steps', values.steps) ?? (copies === undefined ? DEFAULT_STEPS : DEFAULT_COPYING_STEPS)
  const seed = readNumber('seed', values.seed) ?? randomInt(2 ** 31)
  const episode = readNumber('episode', values.episode)
  const demandsEveryState = values['every-state']
  const startedAt = performance.now()
  const secondsPassed = () => (performance.now() - startedAt) / 1000
  console.log(`simulation: ${steps} steps, seed ${seed}`)
  if (copies !== undefined) {
    const cast = copies === 0 ? FEW : crowdOf(copies)
    const simulation = simulateCopying(steps, seed, cast)
    const expected = EXPECTED[cast.kind]
    return print(
      reportOfCopying(simulation, expected, { steps, seed, seconds: secondsPassed(), demandsEveryState }),
    )
  }
  const simulation = simulate({ steps, seed, episode })
  return print(reportOf(simulation, steps, { episode, seconds: secondsPassed(), demandsEveryState }))
}

function print({ lines, errors, exitCode }: Report): number {
  for (const line of lines) console.log(line)
  for (const line of errors) console.error(line)
  return exitCode
}

process.exitCode = main()
