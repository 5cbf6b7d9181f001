// `npm run planted-bugs`: puts one bug after the other into a copy of the sources, and looks which test catches it.
//   -- --only <part of its file or sentence>   -- --copies <how many work side by side>
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT, run } from '../check/run.ts'
import type { Bug } from './bug.ts'
import { BUGS } from './bugs.ts'
import { copyWorkspace, type Copy } from './copy.ts'
import { firstFailure, type Failed, type Tests } from './tests.ts'

const CORE = 'packages/core'
/** Each behind those that take less time; what one lets pass the next may catch. */
const STAGES = [`${CORE}/src`, `${CORE}/sim`, 'apps/server/src/engine', 'apps/server/src/verify']
const REPORT = 'docs/planted-bugs.md'
const COPIES = 3
const OUT_OF_TIME = /timed out|not within/i

type Result = { readonly bug: Bug; readonly failed: Failed }

const GOOD = 0
const BAD = 1
const CANNOT_RUN = 2

async function main(): Promise<number> {
  const text = { type: 'string' } as const
  const { only = '', copies: count = COPIES } = parseArgs({ options: { only: text, copies: text } }).values
  const bugs = BUGS.filter(({ file, says }) => `${file} ${says}`.includes(only))
  if (bugs.length === 0) throw new Error(`There is no bug with "${only}" in its file or its sentence.`)
  const copies = Array.from({ length: Math.max(1, Number(count)) }, copyWorkspace)
  try {
    const sound = new Map<string, Promise<boolean>>()
    const failures = await sideBySide(copies, bugs, (copy, bug) => tryBug(copy, bug, sound))
    const results = bugs.map((bug, at) => ({ bug, failed: failures[at] ?? null }))
    const table = report(results)
    console.log(`\n${table}`)
    if (only === '') {
      writeFileSync(join(ROOT, REPORT), table)
      await run('prettier', ['--write', '--log-level=warn', REPORT])
    }
    return survivors(results).length === 0 ? GOOD : BAD
  } finally {
    for (const copy of copies) copy.remove()
  }
}

/** Does the work on every item, in their order, each copy one at a time; the answers are in the items' order. */
async function sideBySide<Item, Answer>(
  copies: readonly Copy[],
  items: readonly Item[],
  work: (copy: Copy, item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = []
  const waiting = [...items.entries()]
  const takeTurns = async (copy: Copy) => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      answers[next[0]] = await work(copy, next[1])
  }
  const stop = (error: unknown) => {
    waiting.length = 0
    throw error
  }
  const ended = await Promise.allSettled(copies.map((copy) => takeTurns(copy).catch(stop)))
  for (const turns of ended) if (turns.status === 'rejected') throw turns.reason
  return answers
}

/** Which files of tests pass without any bug: a file is tried once, when it has caught the first. */
type Sound = Map<string, Promise<boolean>>

async function tryBug(copy: Copy, bug: Bug, sound: Sound): Promise<Failed> {
  const undo = copy.plant(bug)
  let failed: Failed = null
  for (const tests of stagesFor(copy, bug)) {
    failed = await firstFailure(copy.folder, tests)
    // On a machine at work that may be chance. In a run of its own: what the first try has left behind may hide the bug.
    if (failed && OUT_OF_TIME.test(failed.message))
      failed = await firstFailure(copy.folder, { ...tests, paths: [failed.file] })
    if (failed) break
  }
  undo()
  console.log(`${bug.file}: ${bug.says}`)
  if (!failed) console.log('  SURVIVED')
  else console.log(`  caught by ${failed.file}: ${failed.test}\n  ${failed.message.split('\n', 1)[0] ?? ''}`)
  if (!failed || (await passesWithout(copy, failed.file, sound))) return failed
  console.log(`  SURVIVED: without it ${failed.file} fails as well`)
  return null
}

function passesWithout({ folder }: Copy, file: string, sound: Sound): Promise<boolean> {
  const known = sound.get(file)
  if (known) return known
  const answer = firstFailure(folder, { paths: file.split(' ') }).then((failed) => failed === null)
  sound.set(file, answer)
  return answer
}

/** What is run with a bug, in this order: what takes least time first. */
function stagesFor({ folder }: Copy, bug: Bug): Tests[] {
  const paths = pathsOf(bug)
  const beside = bug.file.replace(/\.tsx?$/, '.test.ts')
  return [
    ...(existsSync(join(folder, beside)) ? [{ paths: [beside] }] : []),
    ...paths.map((each) => ({ paths: each, databases: 'embedded' as const })),
    { paths: paths.flat(), databases: 'postgres' },
  ]
}

/** Where the tests stand that are to catch a bug. */
const pathsOf = ({ file, tests }: Bug): readonly (readonly string[])[] =>
  tests
    ? [tests]
    : STAGES.filter((path) => !path.startsWith(CORE) || file.startsWith(CORE)).map((path) => [path])

const survivors = (results: readonly Result[]): readonly Result[] => results.filter(({ failed }) => !failed)

function report(results: readonly Result[]): string {
  const caught = results.length - survivors(results).length
  const cell = (text: string) => text.replaceAll('|', '\\|')
  const rows = results.map(({ bug, failed }) => {
    const by = failed ? `\`${failed.file}\`: ${cell(failed.test)}` : '**SURVIVED**'
    return `| ${bug.says} | \`${bug.file}\` | ${by} |`
  })
  return [
    '# Planted bugs',
    '',
    '`npm run planted-bugs` puts each of these bugs alone into a copy of the sources and runs the tests of core, simulation,',
    'engine and `verify`, or those that its entry names, up to the first that fails: those beside it first, then on the embedded',
    'database, then on PostgreSQL. That file has to pass without the bug. The list is `tools/planted-bugs`.',
    '',
    `${caught} of ${results.length} were caught.`,
    '',
    '| bug | where | first test that fails |',
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
