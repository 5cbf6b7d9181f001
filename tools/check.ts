// `npm run check`: everything CI does. `npm run check -- types lint` runs only these steps.
import { STATIC_STEPS } from './check/static-steps.ts'
import { addCounts, NO_TESTS, type Counts, type Step } from './check/step.ts'
import { TEST_STEPS } from './check/test-steps.ts'

const STEPS = [...STATIC_STEPS, ...TEST_STEPS]

type Result = { readonly failed: Step | null; readonly counts: Counts; readonly times: readonly string[] }

/** Runs the steps in order up to the first that fails. */
async function runSteps(steps: readonly Step[]): Promise<Result> {
  const times: string[] = []
  let counts = NO_TESTS
  for (const step of steps) {
    console.log(`\n== ${step.name}: ${step.says}`)
    const startedAt = performance.now()
    const verdict = await step.run()
    times.push(`${step.name.padEnd(10)} ${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s`)
    counts = addCounts(counts, verdict.counts ?? NO_TESTS)
    if (!verdict.isGood) return { failed: step, counts, times }
  }
  return { failed: null, counts, times }
}

function report({ failed, counts, times }: Result): void {
  console.log(`\n${times.join('\n')}`)
  if (counts.skipped > 0) console.log(`${counts.skipped} tests skipped`)
  if (failed) console.log(`check stopped at "${failed.name}"; run it alone: npm run check -- ${failed.name}`)
  console.log(`${counts.passed} passed, ${counts.failed} failed`)
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !STEPS.some((step) => step.name === name))
if (unknown.length > 0) {
  console.error(`no step called ${unknown.join(', ')}; there are ${STEPS.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}
const result = await runSteps(wanted.length === 0 ? STEPS : STEPS.filter(({ name }) => wanted.includes(name)))
report(result)
process.exitCode = result.failed ? 1 : 0
