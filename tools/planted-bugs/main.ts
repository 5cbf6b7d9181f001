// `npm run planted-bugs`: puts one bug after the other into a copy of the sources, and looks which test catches it.
//   -- --only <part of its file or sentence>
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT, run } from '../check/run.ts'
import type { Bug } from './bug.ts'
import { BUGS } from './bugs.ts'
import { copyWorkspace, type Copy } from './copy.ts'
import { firstFailure, type Failed } from './tests.ts'

const CORE = 'packages/core'
/** The core's own tests first; what they let pass the engine's and verify's may catch. */
const STAGES: readonly (readonly string[])[] = [[CORE], ['apps/server/src/engine', 'apps/server/src/verify']]
const REPORT = 'docs/planted-bugs.md'

type Result = { readonly bug: Bug; readonly failed: Failed }

const GOOD = 0
const BAD = 1
const CANNOT_RUN = 2

async function main(): Promise<number> {
  const { only = '' } = parseArgs({ options: { only: { type: 'string' } } }).values
  const bugs = BUGS.filter(({ file, says }) => `${file} ${says}`.includes(only))
  const copy = copyWorkspace()
  try {
    const failed = await stagesFor(copy, bugs.flatMap(stagesOf))
    if (failed) throw new Error(`Without any bug a test fails: ${failed.file}: ${failed.test}`)
    const results: Result[] = []
    for (const bug of bugs) results.push({ bug, failed: await tryBug(copy, bug) })
    const table = report(results)
    console.log(`\n${table}`)
    if (only === '') {
      writeFileSync(join(ROOT, REPORT), table)
      await run('prettier', ['--write', '--log-level=warn', REPORT])
    }
    return survivors(results).length === 0 ? GOOD : BAD
  } finally {
    copy.remove()
  }
}

async function tryBug(copy: Copy, bug: Bug): Promise<Failed> {
  const undo = copy.plant(bug)
  const failed = await stagesFor(copy, stagesOf(bug))
  undo()
  console.log(`${failed ? 'caught' : 'SURVIVED'}: ${bug.file}: ${bug.says}`)
  return failed
}

/** Where the tests are looked for that may catch a bug, in this order. */
const stagesOf = ({ file, tests }: Bug): typeof STAGES =>
  tests ? [tests] : STAGES.filter(([folder]) => !folder?.startsWith(CORE) || file.startsWith(CORE))

async function stagesFor({ folder }: Copy, stages: typeof STAGES): Promise<Failed> {
  const different = new Map(stages.map((paths) => [paths.join(' '), paths]))
  for (const paths of different.values()) {
    const failed = await firstFailure(folder, paths)
    if (failed) return failed
  }
  return null
}

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
    'engine and `verify`, or those that its entry names, up to the first that fails. The list is `tools/planted-bugs`.',
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
