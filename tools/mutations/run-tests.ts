import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Many times the duration of the slowest run: a longer one hangs. */
const LONGEST_MS = 1_200_000

const REPORT = 'mutation-report.json'

/** The first failed test and its message; null when all pass. */
export type Failed = { readonly file: string; readonly test: string; readonly message: string } | null

export type Tests = {
  /** Prefixes of the test files: all of one runner. */
  readonly paths: readonly string[]
  /** Only tests on PostgreSQL, or only the others; without it all. */
  readonly databases?: 'embedded' | 'postgres'
}

/** Patterns of test names, which contain the database. */
const NAMES = { embedded: '^(?!.*postgres)', postgres: 'postgres' }

type Runner = {
  /** The arguments for Node, which leave a report in the file REPORT of the copy. */
  readonly args: (tests: Tests) => readonly string[]
  /** Null when the report says that all passed; undefined when it names no failed test. */
  readonly failureIn: (report: string, folder: string) => Failed | undefined
}

type VitestReport = {
  readonly success: boolean
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

const vitest = (project: string): Runner => ({
  args: ({ paths, databases }) => [
    'node_modules/vitest/vitest.mjs',
    'run',
    `--project=${project}`,
    '--bail=1',
    // Several copies run in parallel, and each worker imports the server once.
    '--maxWorkers=1',
    ...(databases ? [`--testNamePattern=${NAMES[databases]}`] : []),
    '--reporter=json',
    `--outputFile=${REPORT}`,
    ...paths,
  ],
  failureIn: (report, folder) => {
    const { success, testResults } = JSON.parse(report) as VitestReport
    if (success) return null
    for (const { name, status, message, assertionResults } of testResults) {
      const failed = assertionResults.find((test) => test.status === 'failed')
      const file = name.slice(folder.length + 1)
      if (failed) return { file, test: failed.fullName.trim(), message: failed.failureMessages.join('\n') }
      if (status === 'failed') return { file, test: 'code outside of its tests', message }
    }
    return undefined
  },
})

type Suite = {
  readonly file: string
  readonly suites?: readonly Suite[]
  readonly specs: readonly {
    readonly title: string
    readonly ok: boolean
    readonly tests: readonly {
      readonly results: readonly { readonly errors: readonly { readonly message?: string }[] }[]
    }[]
  }[]
}

/** Builds the web app and the desk of the copy first. */
const JOURNEYS: Runner = {
  args: ({ paths }) => ['tools/e2e.ts', '--max-failures=1', '--workers=1', '--reporter=json', ...paths],
  failureIn: (report) => {
    const { suites } = JSON.parse(report) as { readonly suites: readonly Suite[] }
    const all = suites.flatMap(function within(suite: Suite): readonly Suite[] {
      return [suite, ...(suite.suites ?? []).flatMap(within)]
    })
    const failed = all
      .flatMap(({ file, specs }) => specs.map((spec) => ({ file, ...spec })))
      .find(({ ok }) => !ok)
    if (!failed) return all.length > 0 ? null : undefined
    const errors = failed.tests.flatMap(({ results }) => results.flatMap((result) => result.errors))
    const message = errors.map((error) => error.message ?? '').join('\n')
    return { file: `e2e/${failed.file}`, test: failed.title, message }
  },
}

/** Whether tests at this path need a browser: their runners know no databases. */
export const isInBrowser = (path: string): boolean => path.endsWith('.test.tsx') || path.endsWith('.spec.ts')

function runnerOf([path = '']: readonly string[]): Runner {
  if (path.endsWith('.spec.ts')) return JOURNEYS
  // Only one with a file to run starts its browser.
  return vitest(path.endsWith('.test.tsx') ? '!node' : 'node')
}

/** Runs these tests in a copy, up to the first failure. Throws when they cannot be run. */
export async function firstFailure(folder: string, tests: Tests): Promise<Failed> {
  const runner = runnerOf(tests.paths)
  const output = await runNode(folder, runner.args(tests))
  if (output === null) return { file: tests.paths.join(' '), test: 'the tests do not end', message: '' }
  const path = join(folder, REPORT)
  if (!existsSync(path)) throw new Error(`The tests could not be run:\n${output}`)
  const report = readFileSync(path, 'utf8')
  rmSync(path)
  const failed = runner.failureIn(report, folder)
  if (failed === undefined) throw new Error(`The tests failed without saying which:\n${output}`)
  return failed
}

/** The program's output; null when it had to be killed. */
function runNode(folder: string, args: readonly string[]): Promise<string | null> {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, CHECK_ALL: '1', PLAYWRIGHT_JSON_OUTPUT_FILE: join(folder, REPORT) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(String(chunk)))
  let isEnded = false
  const patience = setTimeout(() => {
    isEnded = true
    // The whole process group, because a hanging test ignores a plain signal.
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
