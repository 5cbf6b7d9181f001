import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { ROOT } from '../check/run.ts'
import { plant, type Bug } from './bug.ts'

/** What the tests of core, server and both apps with screens need. */
const COPIED = [
  'packages',
  'apps/server',
  'apps/web',
  'apps/desk',
  'tools',
  'samples',
  'testing',
  'package.json',
  'vitest.config.ts',
  'tsconfig.base.json',
]
const OURS = '@fairlot'

/** The workspace's sources at another place; what is changed there changes nothing here. */
export type Copy = {
  readonly folder: string
  /** Puts a bug in; answers how to take it out again. */
  plant(bug: Bug): () => void
  remove(): void
}

export function copyWorkspace(): Copy {
  const folder = mkdtempSync(join(tmpdir(), 'fairlot-planted-'))
  const filter = (path: string) => !['node_modules', 'dist'].includes(basename(path))
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter })
  linkModules(folder)
  return {
    folder,
    plant: (bug) => {
      const path = join(folder, bug.file)
      const source = readFileSync(path, 'utf8')
      writeFileSync(path, plant(source, bug))
      return () => writeFileSync(path, source)
    },
    // More than once: a run that had to be ended may still be writing.
    remove: () => rmSync(folder, { recursive: true, maxRetries: 5, retryDelay: 200 }),
  }
}

/** Installed packages are the ones here; our own are those of the copy, or the bug would stay unseen. */
function linkModules(folder: string): void {
  const [from, to] = [join(ROOT, 'node_modules'), join(folder, 'node_modules')]
  mkdirSync(join(to, OURS), { recursive: true })
  for (const name of readdirSync(from)) {
    if (name !== OURS && !name.startsWith('.vite')) symlinkSync(join(from, name), join(to, name))
  }
  for (const name of readdirSync(join(folder, 'packages')))
    symlinkSync(join(folder, 'packages', name), join(to, OURS, name))
  // What npm could not put at the top, where another version stands, is in the folder of whoever asks for it.
  for (const name of ['packages', 'apps'].flatMap((parent) => foldersIn(folder, parent))) {
    const own = join(ROOT, name, 'node_modules')
    if (existsSync(own)) symlinkSync(own, join(folder, name, 'node_modules'))
  }
}

const foldersIn = (folder: string, parent: string): readonly string[] =>
  readdirSync(join(folder, parent)).map((name) => join(parent, name))
