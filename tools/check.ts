// `npm run check`: what CI does. `npm run check:all`: everything (testing/tiers.ts says what CI leaves out).
// `npm run check -- types lint` runs only these steps.
import { spawnSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './check/run.ts'
import { STATIC_STEPS } from './check/static-steps.ts'
import { addCounts, NO_TESTS, type Counts, type Step, type Unsteady } from './check/step.ts'
import { TEST_STEPS } from './check/test-steps.ts'
import { isWholeCheck } from '../testing/tiers.ts'

/** Where this machine remembers what was unsteady. Git ignores it. */
const UNSTEADY_LOG = join(ROOT, 'unsteady.log')

type Result = {
  readonly failed: readonly Step[]
  readonly counts: Counts
  readonly unsteady: readonly (Unsteady & { readonly step: string })[]
  readonly times: readonly string[]
}

/** Time that all cores together have worked and waited since the machine's start, ms. */
function coreTimes(): { readonly busy: number; readonly idle: number } {
  const times = cpus().map((core) => core.times)
  const idle = times.reduce((sum, time) => sum + time.idle, 0)
  return { busy: times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, 0), idle }
}

/** A line on how long a step took, and how busy it kept the cores: one that only waits can be made shorter. */
function timeLine({ name }: Step, startedAt: number, before: ReturnType<typeof coreTimes>): string {
  const { busy, idle } = coreTimes()
  const [worked, waited] = [busy - before.busy, idle - before.idle]
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)
  const share = Math.round((100 * worked) / Math.max(1, worked + waited))
  return `${name.padEnd(13)} ${seconds} s, cores ${share} % busy`
}

/** Runs each of the steps, also after one that failed. */
async function runSteps(steps: readonly Step[]): Promise<Result> {
  let result: Result = { failed: [], counts: NO_TESTS, unsteady: [], times: [] }
  for (const step of steps) {
    console.log(`\n== ${step.name}: ${step.description}`)
    const startedAt = performance.now()
    const before = coreTimes()
    const { isGood, counts = NO_TESTS, unsteady = [] } = await step.run()
    result = {
      failed: isGood ? result.failed : [...result.failed, step],
      counts: addCounts(result.counts, counts),
      unsteady: [...result.unsteady, ...unsteady.map((each) => ({ ...each, step: step.name }))],
      times: [...result.times, timeLine(step, startedAt, before)],
    }
  }
  return result
}

/** The static steps, and the long ones only if these are good: together they tell in one run what has to be mended. */
async function runAll(wanted: (step: Step) => boolean): Promise<Result> {
  const first = await runSteps(STATIC_STEPS.filter(wanted))
  if (first.failed.length > 0) return first
  const { failed, counts, unsteady, times } = await runSteps(TEST_STEPS.filter(wanted))
  return { failed, counts: addCounts(first.counts, counts), unsteady, times: [...first.times, ...times] }
}

function report({ failed, counts, unsteady, times }: Result): void {
  console.log(`\n${times.join('\n')}`)
  if (counts.skipped > 0) console.log(`${counts.skipped} tests skipped`)
  for (const { step, name, error } of unsteady)
    console.log(`UNSTEADY ${step}: ${name ?? 'no file'}: ${error}`)
  if (unsteady.length > 0) console.log(`${unsteady.length} unsteady`)
  for (const { name } of failed) console.log(`"${name}" failed; run it alone: npm run check -- ${name}`)
  console.log(`${counts.passed} passed, ${counts.failed} failed`)
}

function remember({ unsteady }: Result): void {
  const { stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' })
  const when = `${new Date().toISOString()} ${stdout.trim() || 'no commit'}`
  for (const { step, name, error } of unsteady)
    appendFileSync(UNSTEADY_LOG, `${when} ${step} ${name ?? 'no file'}: ${error}\n`)
}

const args = process.argv.slice(2)
const wanted = args.filter((arg) => arg !== '--all')
if (args.includes('--all')) process.env['CHECK_ALL'] = '1'
const steps = [...STATIC_STEPS, ...TEST_STEPS].map(({ name }) => name)
const unknown = wanted.filter((name) => !steps.includes(name))
if (unknown.length > 0) {
  console.error(`no step called ${unknown.join(', ')}; there are ${steps.join(', ')}`)
  process.exit(2)
}
const result = await runAll(({ name, isForAll = false }) =>
  wanted.length === 0 ? !isForAll || isWholeCheck() : wanted.includes(name),
)
remember(result)
report(result)
process.exitCode = result.failed.length > 0 ? 1 : 0
