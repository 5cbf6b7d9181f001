import { readFileSync } from 'node:fs'
import { NO_TESTS, type Counts } from './step.ts'

/** What failed in a run: a test file, a journey or a fault. */
export type Failure = {
  /** By which it can run again; null where nothing says what has failed. */
  readonly name: string | null
  /** The first line of its first error. */
  readonly error: string
  /** Its part of the run's counts. */
  readonly counts: Counts
}

/** What a test program tells of one run. */
export type Report = { readonly counts: Counts; readonly failures: readonly Failure[] }

/** What stands in a JSON file; null where there is none that can be read. */
export function readJson<T>(path: string): T | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T
  } catch {
    return null
  }
}

type PlaywrightError = { readonly message?: string }
type PlaywrightTest = {
  readonly projectName: string
  readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped'
  readonly results: readonly { readonly error?: PlaywrightError }[]
}
type PlaywrightSuite = {
  readonly suites?: readonly PlaywrightSuite[]
  readonly specs: readonly {
    readonly title: string
    readonly file: string
    readonly line: number
    readonly tests: readonly PlaywrightTest[]
  }[]
}
export type PlaywrightReport = {
  readonly stats: {
    readonly expected: number
    readonly unexpected: number
    readonly flaky: number
    readonly skipped: number
  }
  readonly suites: readonly PlaywrightSuite[]
  readonly errors: readonly PlaywrightError[]
}

/** The name of a journey in one project: how Playwright's command line finds it again. */
const journeyName = (file: string, line: number, project: string): string => `${file}:${line} [${project}]`

/** Playwright's arguments that run one journey of a report again. */
export function journeyArguments(name: string): string[] {
  const [place = '', project = ''] = name.split(/ \[|\]$/)
  return [place, `--project=${project}`]
}

// eslint-disable-next-line no-control-regex -- Playwright colours its messages
const COLOURS = /\u001b\[[0-9;]*m/g
const firstLine = ({ message = 'an error without words' }: PlaywrightError): string =>
  message.replaceAll(COLOURS, '').split('\n', 1).join()

const failedJourneys = (suite: PlaywrightSuite): Failure[] => [
  ...(suite.suites ?? []).flatMap(failedJourneys),
  ...suite.specs.flatMap(({ title, file, line, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ projectName, results }) => ({
        name: journeyName(file, line, projectName),
        error: `${title}: ${firstLine(results.find(({ error }) => error)?.error ?? {})}`,
        counts: { ...NO_TESTS, failed: 1 },
      })),
  ),
]

/** Reads Playwright's JSON report. A journey that Playwright repeated itself has failed. */
export function playwrightReport({ stats, suites, errors }: PlaywrightReport): Report {
  return {
    counts: { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped },
    failures: [
      ...suites.flatMap(failedJourneys),
      ...errors.map((error) => ({ name: null, error: firstLine(error), counts: NO_TESTS })),
    ],
  }
}

/**
 * The report of a run that ended with `code`. A run without a report, one that ended badly though nothing in it failed,
 * and one that saw no test at all have failed in a way that nothing names.
 */
export function honestReport(report: Report | null, code: number): Report {
  const { counts, failures } = report ?? { counts: NO_TESTS, failures: [] }
  const isEmpty = counts.passed + counts.failed === 0
  if (failures.length > 0 || (code === 0 && !isEmpty)) return { counts, failures }
  const error = code === 0 ? 'no test ran' : `the run ended with ${code}`
  return { counts, failures: [{ name: null, error, counts: NO_TESTS }] }
}
