/** `npm run sim -- [--steps N] [--seed S] [--chapter C]`: runs the simulation and prints what it met. */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { neverReached, type Counts } from './counts.ts'
import { simulate } from './simulate.ts'

const DEFAULT_STEPS = 1_000_000
const NAME_WIDTH = 50

function readNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0)
    throw new Error(`--${name} wants a whole number, not "${text}"`)
  return value
}

const printCounts = ({ all }: Counts): void => {
  for (const [name, count] of all) console.log(`  ${name.padEnd(NAME_WIDTH)} ${count}`)
}

function main(): number {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { steps: text, seed: text, chapter: text } })
  const steps = readNumber('steps', values.steps) ?? DEFAULT_STEPS
  const seed = readNumber('seed', values.seed) ?? randomInt(2 ** 31)
  const chapter = readNumber('chapter', values.chapter)
  const startedAt = performance.now()
  console.log(`simulation: ${steps} steps, seed ${seed}`)
  const simulation = simulate({ steps, seed, chapter })
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const { trouble, counts } = simulation
  if (trouble) {
    const { step, command, problems } = trouble
    console.error(`\nchapter ${trouble.chapter}, step ${step}, command ${command}\n${problems.join('\n')}`)
    console.error(`\nagain: npm run sim -- --steps ${steps} --seed ${seed} --chapter ${trouble.chapter}`)
    return 1
  }
  printCounts(counts)
  const missing = chapter === undefined ? neverReached(counts) : []
  if (missing.length > 0) console.error(`never reached: ${missing.join(' · ')}`)
  console.log(`${simulation.steps} steps, seed ${seed}, ${seconds} s: 0 violations, 0 differences`)
  return missing.length > 0 ? 1 : 0
}

process.exitCode = main()
