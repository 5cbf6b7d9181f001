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
import { applied, type Mutation } from './mutation.ts'

/** The files needed by the tests of core, server and both apps, and by the journeys. */
const COPIED = [
  'packages',
  'apps/server',
  'apps/web',
  'apps/desk',
  'tools',
  'samples',
  'docs',
  'testing',
  'e2e',
  'package.json',
  'package-lock.json',
  'playwright.config.ts',
  'vitest.config.ts',
  'tsconfig.base.json',
]
const OURS = '@fairlot'
/** Copied, not linked: Vite serves no font from outside the copy, and without it every layout is another one. */
const FONTS = '@fontsource-variable'

/** A copy of the workspace's sources. */
export type Copy = {
  readonly folder: string
  /** Applies a mutation; returns a function that reverts it. */
  apply(mutation: Mutation): () => void
  remove(): void
}

export function copyWorkspace(): Copy {
  const folder = mkdtempSync(join(tmpdir(), 'fairlot-mutation-'))
  const filter = (path: string) => !['node_modules', 'dist'].includes(basename(path))
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter })
  linkModules(folder)
  return {
    folder,
    apply: (mutation) => {
      const path = join(folder, mutation.file)
      const source = readFileSync(path, 'utf8')
      writeFileSync(path, applied(source, mutation))
      return () => writeFileSync(path, source)
    },
    // Repeated, because a killed run may still be writing.
    remove: () => rmSync(folder, { recursive: true, maxRetries: 5, retryDelay: 200 }),
  }
}

/** Links installed packages to the originals and our own to the copy, or the mutation would have no effect. */
function linkModules(folder: string): void {
  for (const name of readdirSync(join(folder, 'packages'))) {
    mkdirSync(join(folder, 'node_modules', OURS), { recursive: true })
    symlinkSync(join(folder, 'packages', name), join(folder, 'node_modules', OURS, name))
  }
  // Packages that npm could not hoist are in the folder of their workspace.
  for (const workspace of ['.', ...['packages', 'apps'].flatMap((parent) => foldersIn(folder, parent))]) {
    const [from, to] = [ROOT, folder].map((root) => join(root, workspace, 'node_modules')) as [string, string]
    if (!existsSync(from)) continue
    mkdirSync(to, { recursive: true })
    // Each copy has Vite's cache of its own: two that write the same one disturb each other.
    const names = readdirSync(from).filter((name) => name !== OURS && !name.startsWith('.vite'))
    for (const name of names) {
      if (name === FONTS) cpSync(join(from, name), join(to, name), { recursive: true })
      else symlinkSync(join(from, name), join(to, name))
    }
  }
}

const foldersIn = (folder: string, parent: string): readonly string[] =>
  readdirSync(join(folder, parent)).map((name) => join(parent, name))
