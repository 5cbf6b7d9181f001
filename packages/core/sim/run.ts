/**
 * `npm run sim -- [--steps N] [--seed S] [--episode N] [--every-state]`: runs the simulation and prints what it
 * reached. Exits with 1 after a violation or a difference; with `--every-state` also when a rare state was not
 * reached.
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { reportOf } from './report.ts'
import { simulate } from './simulate.ts'

const DEFAULT_STEPS = 1_000_000

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
    options: { steps: text, seed: text, episode: text, 'every-state': { type: 'boolean', default: false } },
  })
  const steps = readNumber('steps', values.steps) ?? DEFAULT_STEPS
  const seed = readNumber('seed', values.seed) ?? randomInt(2 ** 31)
  const episode = readNumber('episode', values.episode)
  const startedAt = performance.now()
  console.log(`simulation: ${steps} steps, seed ${seed}`)
  const simulation = simulate({ steps, seed, episode })
  const seconds = (performance.now() - startedAt) / 1000
  const report = reportOf(simulation, steps, { episode, seconds, demandsEveryState: values['every-state'] })
  for (const line of report.lines) console.log(line)
  for (const line of report.errors) console.error(line)
  return report.exitCode
}

process.exitCode = main()
