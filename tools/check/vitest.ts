// Runs vitest and writes what the check has to know of the run: node tools/check/vitest.ts --report=PATH [FILE…]
// Vitest's own JSON report leaves out the errors that no test asserted, and which file they belong to.
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { startVitest, type TestModule } from 'vitest/node'
import type { Failure, Report } from './report.ts'
import { addCounts, NO_TESTS, type Counts } from './step.ts'

type AnyError = { readonly message?: string; readonly VITEST_TEST_PATH?: string }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { report: { type: 'string' }, root: { type: 'string' }, config: { type: 'string' } },
})
const root = values.root ?? process.cwd()

const firstLine = ({ message = 'an error without words' }: AnyError): string => message.split('\n', 1).join()

function countsOf(module: TestModule): Counts {
  let counts = NO_TESTS
  for (const test of module.children.allTests()) {
    const { state } = test.result()
    counts = addCounts(counts, {
      passed: Number(state === 'passed'),
      failed: Number(state === 'failed' || state === 'pending'),
      skipped: Number(state === 'skipped'),
    })
  }
  return counts
}

/** Why a file has failed: its first failed test, else its own error, else that it never ended. Null if it has not failed. */
function errorOf(module: TestModule): string | null {
  const state = module.state()
  if (state === 'passed' || state === 'skipped') return null
  for (const test of module.children.allTests('failed')) {
    const [error = {}] = test.result().errors ?? []
    return `${test.fullName}: ${firstLine(error)}`
  }
  const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors())
  const [error] = [...module.errors(), ...suites]
  return error ? firstLine(error) : 'it did not run to its end'
}

function reportOf(modules: readonly TestModule[], errors: readonly AnyError[]): Report {
  const failures: Failure[] = []
  for (const module of modules) {
    const error = errorOf(module)
    if (error !== null)
      failures.push({ name: relative(root, module.moduleId), error, counts: countsOf(module) })
  }
  for (const error of errors) {
    const module = modules.find(({ moduleId }) => moduleId === error.VITEST_TEST_PATH)
    const name = module ? relative(root, module.moduleId) : null
    if (name === null || !failures.some((failure) => failure.name === name))
      failures.push({ name, error: firstLine(error), counts: module ? countsOf(module) : NO_TESTS })
  }
  return { counts: modules.map(countsOf).reduce(addCounts, NO_TESTS), failures }
}

const vitest = await startVitest(positionals, {
  run: true,
  root,
  ...(values.config && { config: values.config }),
  reporters: [
    'dot',
    {
      onTestRunEnd: (modules, errors) =>
        writeFileSync(values.report ?? 'report.json', JSON.stringify(reportOf(modules, errors))),
    },
  ],
})
await vitest.exit()
