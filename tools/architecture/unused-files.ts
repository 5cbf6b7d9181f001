import { posix } from 'node:path'
import ts from 'typescript'
import { importsOf } from './imports.ts'
import type { Rule } from './rule.ts'
import { codeFiles, walk, type Tree, type TreeFile } from './tree.ts'

/** Entry points: tests, config files, and files named by package scripts and HTML pages. */
function entries(tree: Tree): string[] {
  const named = [...tree.values()].flatMap((file) => namedFiles(tree, file))
  const started = codeFiles(tree).map(({ path }) => path)
  const isEntry = (path: string): boolean =>
    isRunTest(path) ||
    /(^|\/)[a-z]+\.config\.ts$/.test(path) ||
    path.endsWith('.d.ts') ||
    isPackageIndex(path)
  return [...started.filter(isEntry), ...named]
}

/** Playwright runs e2e's .spec.ts files; vitest runs .test files everywhere else. */
const isRunTest = (path: string): boolean =>
  /^e2e\/(?!support\/)/.test(path) ? path.endsWith('.spec.ts') : /\.test\.(ts|tsx|mjs)$/.test(path)

const isPackageIndex = (path: string): boolean => /^packages\/[^/]+\/src\/index\.ts$/.test(path)

/** Code named by a package.json ("node tools/check.ts") or an HTML page (src="/src/main.tsx"). */
function namedFiles(tree: Tree, { path, text }: TreeFile): string[] {
  const isManifest = posix.basename(path) === 'package.json'
  if (!isManifest && !path.endsWith('.html')) return []
  const names = text.match(/[\w./-]+\.(tsx?|mjs|js)\b/g) ?? []
  return names.map((name) => posix.join(posix.dirname(path), name)).filter((name) => tree.has(name))
}

/** Files named by a string, such as a worker's address or the server a tool starts. */
function filesInStrings(tree: Tree, file: TreeFile): string[] {
  const found: string[] = []
  walk(file, (node) => {
    if (!ts.isStringLiteralLike(node) || !/\.(tsx?|mjs)$/.test(node.text)) return
    const candidates = [posix.join(posix.dirname(file.path), node.text), posix.normalize(node.text)]
    found.push(...candidates.filter((candidate) => tree.has(candidate)))
  })
  return found
}

function reach(tree: Tree): Set<string> {
  const reached = new Set<string>()
  const open = entries(tree)
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const file = tree.get(path)
    if (!file || reached.has(path)) continue
    reached.add(path)
    open.push(...importsOf(tree, file).flatMap(({ target }) => target ?? []), ...filesInStrings(tree, file))
  }
  return reached
}

export const unusedFiles: Rule = {
  name: 'unused-files',
  description: 'Every file is reachable from an entry point.',
  check: (tree) => {
    const reached = reach(tree)
    const message = 'nothing imports or starts this file: use it or delete it.'
    const unused = codeFiles(tree, (path) => !reached.has(path))
    return { checked: reached.size, findings: unused.map(({ path }) => ({ path, message })) }
  },
}
