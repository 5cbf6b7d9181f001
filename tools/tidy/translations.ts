import { posix } from 'node:path'
import type { Finding, Rule } from './rule.ts'
import type { Tree, TreeFile } from './tree.ts'

const FOLDERS = [
  ...['apps/web/src/i18n/messages', 'apps/desk/src/i18n/messages', 'apps/server/src/i18n'],
  'packages/contract/src/words',
]
const COMPLETE = ['en', 'hk']

const cataloguesIn = (tree: Tree, folder: string): TreeFile[] =>
  [...tree.values()].filter(({ path }) => posix.dirname(path) === folder && path.endsWith('.json'))

/** Keys with their path, `{ a: { b: 'text' } }` gives `a.b`. An empty text counts as missing. */
export function keysOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return value === '' ? [] : [path]
  return Object.entries(value).flatMap(([key, inner]) => keysOf(inner, path === '' ? key : `${path}.${key}`))
}

function judgeFolder(tree: Tree, folder: string): { looked: number; findings: Finding[] } {
  const catalogues = cataloguesIn(tree, folder)
  const keys = new Map(catalogues.map(({ path, text }) => [path, new Set(keysOf(JSON.parse(text)))]))
  const all = new Set([...keys.values()].flatMap((own) => [...own]))
  const gaps = [...keys].flatMap(([path, own]) =>
    [...all].filter((key) => !own.has(key)).map((key) => ({ path, message: `has no text for "${key}".` })),
  )
  return { looked: all.size, findings: [...absent(tree, folder), ...empty(folder, all.size), ...gaps] }
}

const absent = (tree: Tree, folder: string): Finding[] =>
  COMPLETE.map((locale) => `${folder}/${locale}.json`)
    .filter((path) => !tree.has(path))
    .map((path) => ({ path, message: 'is missing: this language must be complete.' }))

const empty = (folder: string, keys: number): Finding[] =>
  keys === 0 ? [{ path: folder, message: 'holds no texts at all.' }] : []

const presentFolders = (tree: Tree): string[] =>
  FOLDERS.filter((folder) => [...tree.keys()].some((path) => path.startsWith(`${folder}/`)))

export const translations: Rule = {
  name: 'translations',
  says: 'Every language file of a folder has the same keys.',
  mayRest: (tree) => presentFolders(tree).length === 0,
  look: (tree) => {
    const judged = presentFolders(tree).map((folder) => judgeFolder(tree, folder))
    return {
      looked: judged.reduce((sum, { looked }) => sum + looked, 0),
      findings: judged.flatMap(({ findings }) => findings),
    }
  },
}
