import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureChromium } from '../../testing/chromium.ts'
import { COMPILED } from '../../testing/server-process.ts'
import { repeatFailures } from './repeat.ts'
import {
  honestReport,
  journeyArguments,
  playwrightReport,
  readJson,
  type PlaywrightReport,
  type Report,
} from './report.ts'
import { memoryFolder, run } from './run.ts'
import { FIRST_JOURNEYS, isWholeCheck } from '../../testing/tiers.ts'
import { NO_TESTS, type Step, type Verdict } from './step.ts'

type Run = { readonly code: number; readonly report: Report }

/** Runs a test program that writes a report to the path it is given, and answers what `read` finds there. */
async function reported(
  start: (reportPath: string) => Promise<{ code: number }>,
  read: (reportPath: string) => Report | null,
): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'fairlot-check-'))
  const reportPath = join(folder, 'report.json')
  const { code } = await start(reportPath)
  const report = honestReport(read(reportPath), code)
  rmSync(folder, { recursive: true })
  return { code, report }
}

/** Screens are tested with the React that is shipped, and in `npm run check:all` with its development build. */
const vitest = (files: readonly string[]): Promise<Run> =>
  reported(
    (path) =>
      run('node', ['tools/check/vitest.ts', `--report=${path}`, ...files], {
        env: {
          CHROME_PATH: ensureChromium(),
          NODE_COMPILE_CACHE: COMPILED,
          NODE_ENV: isWholeCheck() ? 'test' : 'production',
          ...memoryFolder(),
        },
      }),
    readJson<Report>,
  )

const playwright = (args: readonly string[]): Promise<Run> =>
  reported(
    (path) =>
      run('node', ['tools/e2e.ts', '--reporter=list,json', ...args], {
        env: { PLAYWRIGHT_JSON_OUTPUT_FILE: path },
      }),
    (path) => {
      const report = readJson<PlaywrightReport>(path)
      return report && playwrightReport(report)
    },
  )

const shortFaults = (args: readonly string[]): Promise<Run> =>
  reported((path) => run('node', ['faults/run.ts', '--short', `--report=${path}`, ...args]), readJson<Report>)

const unitTests = async (): Promise<Verdict> =>
  repeatFailures((await vitest([])).report, async (file) => (await vitest([file])).report)

const journeys = async (): Promise<Verdict> =>
  repeatFailures(
    (await playwright(isWholeCheck() ? [] : FIRST_JOURNEYS)).report,
    async (name) => (await playwright([...journeyArguments(name), '--workers=1'])).report,
  )

const build = async (): Promise<Verdict> => ({ isGood: (await run('node', ['tools/build.mjs'])).code === 0 })

const CANNOT_RUN = 2

/** Where no PostgreSQL can be started it says so and ends with 2: a skip, unless `REQUIRE_POSTGRES=1`. */
const faults = async (): Promise<Verdict> => {
  const { code, report } = await shortFaults([])
  if (code === CANNOT_RUN) console.log('THE FAULTS WERE NOT RUN: see above.')
  if (code === CANNOT_RUN && process.env['REQUIRE_POSTGRES'] !== '1')
    return { isGood: true, counts: { ...NO_TESTS, skipped: 1 } }
  return repeatFailures(report, async (name) => (await shortFaults([`--only=${name}`])).report)
}

export const TEST_STEPS: readonly Step[] = [
  { name: 'tests', description: 'unit, property, server and screen tests', run: unitTests },
  { name: 'faults', description: 'a short run of `npm run faults`', isForAll: true, run: faults },
  { name: 'build', description: 'the web app', run: build },
  { name: 'e2e', description: 'tests in a real browser', run: journeys },
]
