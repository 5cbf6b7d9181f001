// `npm run mutations`: applies each mutation to a copy of the sources, and finds the test that catches it.
//   -- --list <a file of tools/mutations/list>   -- --only <part of a file or description>
//   -- --copies <how many run in parallel>
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from '../check/run.ts'
import type { Mutation } from './mutation.ts'
import { LISTS, MUTATIONS } from './list/all.ts'
import { copyWorkspace, type Copy } from './workspace-copy.ts'
import { firstFailure, isInBrowser, type Failed, type Tests } from './run-tests.ts'

const CORE = 'packages/core'
/** Fastest first; a mutation that one stage misses may be caught by the next. */
const STAGES = [`${CORE}/src`, `${CORE}/sim`, 'apps/server/src/engine', 'apps/server/src/verify']
/** Not in the repository: docs/figures.md states the last result. */
const REPORT = join(ROOT, '.cache/mutations.md')
const COPIES = 3
const OUT_OF_TIME = /timed out|not within/i

type Result = { readonly mutation: Mutation; readonly failed: Failed }

const GOOD = 0
const BAD = 1
const CANNOT_RUN = 2

async function main(): Promise<number> {
  const text = { type: 'string' } as const
  const options = { list: text, only: text, copies: text }
  const { list, only = '', copies: count = COPIES } = parseArgs({ options }).values
  const chosen = list === undefined ? MUTATIONS : (LISTS[list] ?? [])
  const mutations = chosen.filter(({ file, description }) => `${file} ${description}`.includes(only))
  if (mutations.length === 0)
    throw new Error(`No mutation of "${list ?? 'any list'}" has "${only}" in its file or its description.`)
  const copies = Array.from({ length: Math.max(1, Number(count)) }, copyWorkspace)
  try {
    const passing = new Map<string, Promise<boolean>>()
    const failures = await inParallel(copies, mutations, (copy, mutation) =>
      tryMutation(copy, mutation, passing),
    )
    const results = mutations.map((mutation, at) => ({ mutation, failed: failures[at] ?? null }))
    const table = report(results)
    console.log(`\n${table}`)
    mkdirSync(dirname(REPORT), { recursive: true })
    writeFileSync(REPORT, table)
    return survivors(results).length === 0 ? GOOD : BAD
  } finally {
    for (const copy of copies) copy.remove()
  }
}

/** Runs the work on every item, one at a time in each copy; the results are in the order of the items. */
async function inParallel<Item, Answer>(
  copies: readonly Copy[],
  items: readonly Item[],
  work: (copy: Copy, item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = []
  const waiting = [...items.entries()]
  const workOff = async (copy: Copy) => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      answers[next[0]] = await work(copy, next[1])
  }
  const stop = (error: unknown) => {
    waiting.length = 0
    throw error
  }
  const settled = await Promise.allSettled(copies.map((copy) => workOff(copy).catch(stop)))
  for (const outcome of settled) if (outcome.status === 'rejected') throw outcome.reason
  return answers
}

/** Whether test files pass without a mutation: a file is run once, when it has caught its first one. */
type PassingFiles = Map<string, Promise<boolean>>

async function tryMutation(copy: Copy, mutation: Mutation, passing: PassingFiles): Promise<Failed> {
  const undo = copy.apply(mutation)
  let failed: Failed = null
  for (const tests of stagesFor(copy, mutation)) {
    failed = await firstFailure(copy.folder, tests)
    // On a busy machine that may be chance. It is repeated in a run of its own, because leftovers of the first run
    // may hide the mutation.
    if (failed && OUT_OF_TIME.test(failed.message))
      failed = await firstFailure(copy.folder, { ...tests, paths: [failed.file] })
    if (failed) break
  }
  undo()
  console.log(`${mutation.file}: ${mutation.description}`)
  if (!failed) console.log('  SURVIVED')
  else console.log(`  caught by ${failed.file}: ${failed.test}\n  ${failed.message.split('\n', 1)[0] ?? ''}`)
  if (!failed || (await passesWithout(copy, failed.file, passing))) return failed
  console.log(`  SURVIVED: without it ${failed.file} fails as well`)
  return null
}

function passesWithout({ folder }: Copy, file: string, passing: PassingFiles): Promise<boolean> {
  const known = passing.get(file)
  if (known) return known
  const answer = firstFailure(folder, { paths: file.split(' ') }).then((failed) => failed === null)
  passing.set(file, answer)
  return answer
}

/** The tests to run for a mutation, fastest first. */
function stagesFor({ folder }: Copy, mutation: Mutation): Tests[] {
  const paths = pathsOf(mutation)
  const beside = mutation.file.replace(/\.tsx?$/, '.test.ts')
  const inBrowser = paths.flat().filter(isInBrowser)
  const inNode = paths
    .map((each) => each.filter((path) => !isInBrowser(path)))
    .filter(({ length }) => length > 0)
  return [
    ...(beside !== mutation.file && existsSync(join(folder, beside)) ? [{ paths: [beside] }] : []),
    ...inNode.map((each) => ({ paths: each, databases: 'embedded' as const })),
    ...(inNode.length > 0 ? [{ paths: inNode.flat(), databases: 'postgres' as const }] : []),
    ...inBrowser.map((path) => ({ paths: [path] })),
  ]
}

/** The paths of the tests for a mutation. */
const pathsOf = ({ file, tests }: Mutation): readonly (readonly string[])[] =>
  tests
    ? [tests]
    : STAGES.filter((path) => !path.startsWith(CORE) || file.startsWith(CORE)).map((path) => [path])

const survivors = (results: readonly Result[]): readonly Result[] => results.filter(({ failed }) => !failed)

function report(results: readonly Result[]): string {
  const caught = results.length - survivors(results).length
  const cell = (text: string) => text.replaceAll('|', '\\|')
  const rows = results.map(({ mutation, failed }) => {
    const by = failed ? `\`${failed.file}\`: ${cell(failed.test)}` : '**SURVIVED**'
    return `| ${mutation.description} | \`${mutation.file}\` | ${by} |`
  })
  return [
    `${caught} of ${results.length} were caught.`,
    '',
    '| mutation | where | first test that fails |',
    '| --- | ----- | --------------------- |',
    ...rows,
    '',
  ].join('\n')
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = CANNOT_RUN
}
