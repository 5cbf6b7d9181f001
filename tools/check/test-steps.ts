import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureChromium } from '../../testing/chromium.ts'
import { faultsVerdict, honestCounts, playwrightCounts, vitestCounts } from './reports.ts'
import { run } from './run.ts'
import type { Counts, Step, Verdict } from './step.ts'

/** Runs a test program that writes its report to the path it is given, and counts. */
async function counted(
  start: (reportPath: string) => Promise<{ code: number }>,
  read: (reportPath: string) => Counts | null,
): Promise<Verdict> {
  const folder = mkdtempSync(join(tmpdir(), 'fairlot-check-'))
  const reportPath = join(folder, 'report.json')
  const { code } = await start(reportPath)
  const counts = honestCounts(read(reportPath), code)
  rmSync(folder, { recursive: true })
  return { isGood: code === 0 && counts.failed === 0, counts }
}

const unitTests = (): Promise<Verdict> =>
  counted(
    (path) =>
      run('vitest', ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${path}`], {
        env: { CHROME_PATH: ensureChromium() },
      }),
    vitestCounts,
  )

const journeys = (): Promise<Verdict> =>
  counted(
    (path) =>
      run('node', ['tools/e2e.ts', '--reporter=list,json'], { env: { PLAYWRIGHT_JSON_OUTPUT_FILE: path } }),
    playwrightCounts,
  )

const build = async (): Promise<Verdict> => ({ isGood: (await run('node', ['tools/build.mjs'])).code === 0 })

/** Where no PostgreSQL can be started it says so and ends with 2; `REQUIRE_POSTGRES=1` makes that a failure. */
const faults = async (): Promise<Verdict> => {
  const { code } = await run('node', ['faults/run.ts', '--short'])
  if (code === 2) console.log('THE FAULTS WERE NOT RUN: see above.')
  return faultsVerdict(code, process.env['REQUIRE_POSTGRES'] === '1')
}

export const TEST_STEPS: readonly Step[] = [
  { name: 'tests', says: 'unit, property, server and screen tests', run: unitTests },
  { name: 'faults', says: 'a short leg of `npm run faults`', run: faults },
  { name: 'build', says: 'the web app', run: build },
  { name: 'e2e', says: 'journeys in a real browser', run: journeys },
]
