// `npm run faults`: breaks the real server in every known way, and checks that nothing it acknowledged is lost.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkAll } from './check.ts'
import { createRandom } from '../testing/random.ts'
import type { Report } from '../tools/check/report.ts'
import { NO_TESTS } from '../tools/check/step.ts'
import { createHarness, type Harness } from './harness.ts'
import { planOf, type Opened, type Planned } from './plan.ts'
import { PostgresImpossible, startPostgres, type OwnPostgres } from '../testing/own-postgres.ts'
import { playRound } from './round.ts'
import { lastOutput } from './server.ts'
import { isGood, isIntact, newTally, report, type Tally } from './tally.ts'
import { verifyHarness } from './verify.ts'

/** A busy machine may need hours. */
const RUN_LIMIT_MS = 240 * 60_000
const PROGRESS_EACH = 20
const USAGE =
  "npm run faults -- [--kills N] [--database-kills N] [--seed N] [--only NAME] [--short]  (NAME: part of a fault's name)"

const options = readOptions()
if (typeof options === 'string') {
  console.error(options)
  process.exit(2)
}
const tallies: Tally[] = []
// Printed however the run ends.
process.once('exit', () => {
  if (tallies.length > 0) console.log(`\n${report(tallies)}`)
})
setTimeout(() => {
  console.error(`The run took longer than ${RUN_LIMIT_MS / 60_000} minutes and was given up.`)
  process.exit(1)
}, RUN_LIMIT_MS).unref()

const postgres = await startPostgres().catch((error: unknown) => {
  if (!(error instanceof PostgresImpossible)) throw error
  console.error(error.message)
  return process.exit(2)
})
process.exit(await runAll(postgres))

/** The exit code: 0 good; 1 something was lost, duplicated, wrong or slow; 2 not everything could be run. */
async function runAll(own: OwnPostgres): Promise<0 | 1 | 2> {
  const { seed, only, reportPath, ...counts } = options as Options
  const plan = planOf(own, counts).filter(({ name, rounds }) => name.includes(only) && rounds > 0)
  if (plan.length === 0) {
    console.error(`There is no fault with "${only}" in its name that strikes at least once.`)
    return 2
  }
  console.log(`Faults, seed ${seed}: ${plan.map(({ name, rounds }) => `${name} × ${rounds}`).join(', ')}`)
  for (const planned of plan) {
    const startedAt = performance.now()
    const opened = await planned.open()
    if (!opened) continue
    const tally = newTally(planned.name, opened.place.kind)
    tallies.push(tally)
    await runFault(planned, opened, tally, seed)
    const verdict = isGood(tally) ? 'good' : 'NOT GOOD'
    console.log(`${planned.name}: ${verdict} after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  }
  const isEnoughGood = counts.isShort ? isIntact : isGood
  if (reportPath !== '') writeFileSync(reportPath, JSON.stringify(reportOf(isEnoughGood)))
  // The short run must pass on any machine: it does not judge times, and skips what needs a privilege.
  if (!tallies.every(isEnoughGood)) return 1
  const isEnough = counts.isShort ? tallies.length > 0 : tallies.length === plan.length
  return isEnough ? 0 : 2
}

/** What the check reads of this run: which faults were not good, and why. */
function reportOf(isEnough: (tally: Tally) => boolean): Report {
  const failures = tallies
    .filter((tally) => !isEnough(tally))
    .map(({ fault, lost, doubled, wrong }) => ({
      name: fault,
      error: wrong[0]?.split('\n', 1).join() ?? `${lost} lost, ${doubled} doubled, or slow`,
      counts: { ...NO_TESTS, failed: 1 },
    }))
  const failed = failures.length
  return { counts: { ...NO_TESTS, passed: tallies.length - failed, failed }, failures }
}

/** All rounds of one fault on one server. An error ends the fault and is recorded as wrong. */
async function runFault(
  { name, rounds, mustEnd = [], mustHappen = [], ...terms }: Planned,
  opened: Opened,
  tally: Tally,
  seed: number,
): Promise<void> {
  let harness: Harness | null = null
  try {
    harness = await createHarness(opened.place, createRandom(seed), terms)
    while (tally.rounds < rounds) {
      await playRound(harness, tally, opened.strike)
      if (tally.rounds % PROGRESS_EACH === 0) console.log(`${name}: ${tally.rounds} rounds`)
    }
    await checkAll(harness, tally)
    const missing = mustEnd.filter((reason) => !tally.ends.has(reason))
    tally.wrong.push(...missing.map((reason) => `no order ever ended by ${reason}`))
    const { kinds } = harness.journal
    const unseen = mustHappen.filter((type) => !kinds.has(type))
    tally.wrong.push(...unseen.map((type) => `the journal has no ${type}`))
    tally.wrong.push(...(await verifyHarness(harness)))
  } catch (error) {
    const printed = harness ? lastOutput(harness.server) : ''
    tally.wrong.push(
      `round ${tally.rounds + 1}: ${error instanceof Error ? error.stack : String(error)}\n${printed}`,
    )
  }
  await harness?.close()
  opened.close?.()
}

type Options = {
  readonly kills: number
  readonly databaseKills: number
  readonly seed: number
  readonly only: string
  /** Where to write what the check reads; empty: nowhere. */
  readonly reportPath: string
  readonly isShort: boolean
}

/** The options, or a message about what is wrong with them. */
function readOptions(): Options | string {
  try {
    const { values } = parseArgs({
      options: {
        kills: { type: 'string' },
        'database-kills': { type: 'string' },
        seed: { type: 'string' },
        only: { type: 'string', default: '' },
        short: { type: 'boolean', default: false },
        report: { type: 'string', default: '' },
      },
    })
    const kills = Number(values.kills ?? (values.short ? 3 : 200))
    const databaseKills = Number(values['database-kills'] ?? (values.short ? 3 : 100))
    const seed = Number(values.seed ?? 1)
    const isInteger = [kills, databaseKills, seed].every((count) => Number.isSafeInteger(count) && count >= 0)
    if (!isInteger) return `A count must be a non-negative integer. ${USAGE}`
    return { kills, databaseKills, seed, only: values.only, reportPath: values.report, isShort: values.short }
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)} ${USAGE}`
  }
}
