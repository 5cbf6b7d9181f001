import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Many times what the slowest run takes: what has not ended by then turns in circles. */
const LONGEST_MS = 600_000

const REPORT = 'planted-report.json'

/** The first test that failed, and what it said; null when all pass. */
export type Failed = { readonly file: string; readonly test: string; readonly message: string } | null

export type Tests = {
  /** How the names of their files begin. */
  readonly paths: readonly string[]
  /** Only those that run on PostgreSQL, or only the others; without it all. */
  readonly databases?: 'embedded' | 'postgres'
}

/** By their names, which tell the database. */
const NAMES = { embedded: '^(?!.*postgres)', postgres: 'postgres' }

type Report = {
  readonly success: boolean
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly TestResult[]
  }[]
}

type TestResult = {
  readonly status: string
  readonly fullName: string
  readonly failureMessages: readonly string[]
}

/** Runs these tests in a copy, up to the first that fails. Throws where they cannot be run. */
export async function firstFailure(folder: string, tests: Tests): Promise<Failed> {
  const output = await runVitest(folder, tests)
  if (output === null) return { file: tests.paths.join(' '), test: 'the tests do not end', message: '' }
  const { success, testResults } = readReport(folder, output)
  if (success) return null
  for (const { name, status, message, assertionResults } of testResults) {
    const failed = assertionResults.find((test) => test.status === 'failed')
    const file = name.slice(folder.length + 1)
    if (failed) return { file, test: failed.fullName.trim(), message: failed.failureMessages.join('\n') }
    if (status === 'failed') return { file, test: 'what stands outside of its tests', message }
  }
  throw new Error(`The tests failed without saying which:\n${output}`)
}

function readReport(folder: string, output: string): Report {
  const path = join(folder, REPORT)
  if (!existsSync(path)) throw new Error(`The tests could not be run:\n${output}`)
  const report = JSON.parse(readFileSync(path, 'utf8')) as Report
  rmSync(path)
  return report
}

/** What vitest printed; null where it had to be ended. */
function runVitest(folder: string, { paths, databases }: Tests): Promise<string | null> {
  const program = join(folder, 'node_modules/vitest/vitest.mjs')
  // Those in Node: the bugs are about rules, and each run of the screens would start a browser.
  const args = [
    program,
    'run',
    '--project=node',
    '--bail=1',
    // Several copies work side by side, and what the server imports is read once for each worker.
    '--maxWorkers=1',
    ...(databases ? [`--testNamePattern=${NAMES[databases]}`] : []),
    '--reporter=json',
    `--outputFile=${REPORT}`,
    ...paths,
  ]
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(String(chunk)))
  let isEnded = false
  const patience = setTimeout(() => {
    isEnded = true
    // The whole group: a test that turns in circles hears nothing.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }, LONGEST_MS)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => {
      clearTimeout(patience)
      resolve(isEnded ? null : chunks.join(''))
    })
  })
}
