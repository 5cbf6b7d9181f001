import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, run } from './run.ts'
import type { Step, Verdict } from './step.ts'

/** Each is a TypeScript project of its own; the root one covers tests, journeys, benches and tools. */
const PROJECTS = [
  'packages/core',
  'packages/contract',
  'packages/ui',
  'apps/server',
  'apps/web',
  'apps/web/src/worker',
  'apps/desk',
  '.',
]

const verdict = async (program: string, ...args: string[]): Promise<Verdict> => ({
  isGood: (await run(program, args)).code === 0,
})

/** The project's own files in tsc's list of files. */
const ownFiles = (output: string): string[] =>
  output.split('\n').filter((line) => line.startsWith(ROOT) && !line.includes('/node_modules/'))

async function checkProject(project: string): Promise<boolean> {
  if (!existsSync(join(ROOT, project, 'tsconfig.json'))) return complain(`${project} has no tsconfig.json`)
  const { code, output } = await run('tsc', ['-p', project, '--listFiles'], { output: 'keep' })
  const files = ownFiles(output)
  if (code !== 0) return complain(output.replace(/^\/.*\n/gm, '').trim() || `tsc -p ${project} failed`)
  if (files.length === 0) return complain(`tsc -p ${project} looked at no file`)
  console.log(`tsc -p ${project}: ${files.length} files`)
  return true
}

function complain(sentence: string): false {
  console.error(sentence)
  return false
}

async function checkTypes(): Promise<Verdict> {
  let isGood = true
  for (const project of PROJECTS) isGood = (await checkProject(project)) && isGood
  return { isGood }
}

async function lint(): Promise<Verdict> {
  const { code, output } = await run('oxlint', [], { output: 'keep' })
  console.log(output.trim())
  const files = Number(/ on (\d+) files/.exec(output)?.[1] ?? 0)
  return { isGood: files > 0 ? code === 0 : complain('oxlint looked at no file') }
}

export const STATIC_STEPS: readonly Step[] = [
  {
    name: 'format',
    description: 'oxfmt',
    run: () => verdict('oxfmt', '--check'),
  },
  // `lint` reports what the compiler would, for every file in one pass; the compiler itself has the last word.
  { name: 'types', description: 'TypeScript over every workspace', isForAll: true, run: checkTypes },
  { name: 'lint', description: 'oxlint, and the errors of TypeScript', run: lint },
  {
    name: 'architecture',
    description: 'imports, names and folders',
    run: () => verdict('node', 'tools/architecture/main.ts'),
  },
  { name: 'dead-code', description: 'knip', run: () => verdict('knip', '--no-progress') },
]
