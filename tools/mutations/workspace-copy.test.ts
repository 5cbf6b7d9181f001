import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { ROOT } from '../check/run.ts'
import { copyWorkspace } from './workspace-copy.ts'

const copy = copyWorkspace()
afterAll(() => copy.remove())

const WORKSPACES = ['packages', 'apps'].flatMap((parent) =>
  readdirSync(join(copy.folder, parent)).map((name) => join(parent, name)),
)

const dependenciesOf = (root: string, workspace: string): string[] => {
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>
  }
  return Object.keys(dependencies)
}

/** The folder in which Node finds a package imported from a folder. */
function packageFolder(folder: string, name: string): string {
  const path = join(folder, 'node_modules', name)
  if (existsSync(path)) return realpathSync(path)
  if (dirname(folder) === folder) return 'nowhere'
  return packageFolder(dirname(folder), name)
}

/** Our own packages and the fonts. */
const isInCopy = (name: string): boolean => /^@(fairlot|fontsource-variable)\//.test(name)

it.each(WORKSPACES)(
  'the copy of %s imports the same packages, and our own and the fonts from the copy',
  (workspace) => {
    for (const name of dependenciesOf(ROOT, workspace)) {
      const original = packageFolder(join(ROOT, workspace), name)
      const expected = isInCopy(name)
        ? join(realpathSync(copy.folder), relative(realpathSync(ROOT), original))
        : original
      expect(packageFolder(join(copy.folder, workspace), name), name).toBe(expected)
    }
  },
)
