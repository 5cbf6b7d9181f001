import { readFileSync } from 'node:fs'
import { NO_TESTS, type Counts, type Verdict } from './step.ts'

type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
}
type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number; skipped: number } }

const read = <T>(path: string): T | null => {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T
  } catch {
    return null
  }
}

/** Totals of vitest's JSON report; null when there is no readable report at `path`. */
export function vitestCounts(path: string): Counts | null {
  const report = read<VitestReport>(path)
  if (!report) return null
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = report
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests }
}

/** Totals of Playwright's JSON report; null when there is no readable report at `path`. A flaky test failed once: it counts as failed. */
export function playwrightCounts(path: string): Counts | null {
  const report = read<PlaywrightReport>(path)
  if (!report) return null
  const { expected, unexpected, flaky, skipped } = report.stats
  return { passed: expected, failed: unexpected + flaky, skipped }
}

/**
 * The counts of a run that ended with `code`. A run that fails outside its tests (a file that does not load, a set-up that
 * stops) counts as one failed test, and so does a run that saw no test at all.
 */
export function honestCounts(counts: Counts | null, code: number): Counts {
  const known = counts ?? NO_TESTS
  const isEmpty = known.passed + known.failed === 0
  return (code !== 0 || isEmpty) && known.failed === 0 ? { ...known, failed: 1 } : known
}

/** `npm run faults` ends with 2 where the machine cannot run it: a skip, unless PostgreSQL has to be there. */
export function faultsVerdict(code: number, isPostgresRequired: boolean): Verdict {
  if (code === 2 && !isPostgresRequired) return { isGood: true, counts: { ...NO_TESTS, skipped: 1 } }
  const isGood = code === 0
  return { isGood, counts: { ...NO_TESTS, passed: Number(isGood), failed: Number(!isGood) } }
}
