// `npm run stryker`: how much of the code the tests really check. Stryker changes one operator, condition or block after the
// other in a copy of the sources and runs the tests of that slice; a mutant that no test notices survives.
//   npm run stryker                     every slice (hours)
//   npm run stryker -- desk-waiting     one
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../check/run.ts'
import { copyWorkspace, type Copy } from '../mutations/workspace-copy.ts'
import { SLICES, type Slice } from './slices.ts'

/** Share of mutants that the tests of each slice must notice, in percent. */
const GOAL = 85
/** The full reports, as HTML and JSON; not in the repository. */
const DETAILS = join(ROOT, '.cache/stryker')

type Mutant = {
  readonly status: string
  readonly mutatorName: string
  readonly replacement: string
  readonly location: { readonly start: { readonly line: number } }
}
type StrykerReport = {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>
}

type Score = { readonly slice: string; readonly detected: number; readonly valid: number }

const configOf = ({ files }: Slice) => ({
  testRunner: 'vitest',
  vitest: { configFile: 'tools/stryker/vitest.config.ts', related: false },
  mutate: [...files, '!**/*.test.ts', '!**/*.test.tsx', '!**/testing/**', '!**/test-kit.ts'],
  // Wording is not behaviour: other words in a log line or a text are found by reading, not by tests.
  mutator: { excludedMutations: ['StringLiteral'] },
  coverageAnalysis: 'perTest',
  // The copy is ours; Stryker's own would link our packages to the originals, where no mutant is.
  inPlace: true,
  concurrency: 2,
  dryRunTimeoutMinutes: 20,
  timeoutMS: 60_000,
  reporters: ['progress-append-only', 'json', 'html'],
  jsonReporter: { fileName: 'stryker-report/report.json' },
  htmlReporter: { fileName: 'stryker-report/report.html' },
  disableTypeChecks: false,
  allowConsoleColors: false,
})

/** Runs one slice in a copy of the sources and keeps the report. Throws if Stryker cannot run it. */
async function runSlice(slice: Slice): Promise<Score> {
  const copy = copyWorkspace()
  try {
    await runStryker(copy, slice)
    const report = join(copy.folder, 'stryker-report/report.json')
    if (!existsSync(report)) throw new Error(`Stryker wrote no report for ${slice.name}.`)
    const details = join(DETAILS, slice.name)
    mkdirSync(details, { recursive: true })
    cpSync(join(copy.folder, 'stryker-report'), details, { recursive: true })
    return scoreOf(slice, JSON.parse(readFileSync(report, 'utf8')) as StrykerReport)
  } finally {
    copy.remove()
  }
}

function runStryker({ folder }: Copy, slice: Slice): Promise<void> {
  writeFileSync(join(folder, 'stryker.json'), JSON.stringify(configOf(slice)))
  const program = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js')
  const child = spawn(process.execPath, [program, 'run', 'stryker.json'], {
    cwd: folder,
    env: { ...process.env, SLICE_TESTS: slice.tests.join() },
    stdio: 'inherit',
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => resolve())
  })
}

const DETECTED = ['Killed', 'Timeout']
const SURVIVED = ['Survived', 'NoCoverage']

/** Detected mutants by all that compile; the survivors are printed. */
function scoreOf({ name }: Slice, { files }: StrykerReport): Score {
  let detected = 0
  let valid = 0
  for (const [path, { source, mutants }] of Object.entries(files)) {
    const lines = source.split('\n')
    for (const { status, mutatorName, replacement, location } of mutants) {
      if (DETECTED.includes(status)) detected += 1
      else if (!SURVIVED.includes(status)) continue
      else
        console.log(
          `${path}:${location.start.line} ${mutatorName} -> ${replacement.replaceAll(/\s+/g, ' ').slice(0, 60)}\n    ${lines[location.start.line - 1]?.trim() ?? ''}`,
        )
      valid += 1
    }
  }
  return { slice: name, detected, valid }
}

const percent = ({ detected, valid }: Score): number => (valid === 0 ? 100 : (100 * detected) / valid)

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !SLICES.some((slice) => slice.name === name))
if (unknown.length > 0) {
  console.error(
    `No slice is called ${unknown.join(', ')}; there are ${SLICES.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(2)
}
const scores: Score[] = []
for (const slice of SLICES.filter(({ name }) => wanted.length === 0 || wanted.includes(name)))
  scores.push(await runSlice(slice))
for (const score of scores)
  console.log(`${score.slice.padEnd(16)} ${percent(score).toFixed(1)} % of ${score.valid} mutants noticed`)
process.exitCode = scores.every((score) => percent(score) >= GOAL) ? 0 : 1
