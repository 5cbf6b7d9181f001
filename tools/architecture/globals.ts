import ts from 'typescript'
import { lineOf, walk, type TreeFile, codeFiles, isTest, type Tree } from './tree.ts'
import type { Finding, Rule } from './rule.ts'
import { importsOf } from './imports.ts'
import { webFolder } from './layout.ts'

/** A use of a global; `name` is for example `fetch` or `Date.now`. */
export type GlobalUse = { readonly name: string; readonly line: number; readonly node: ts.Node }

const HOLDERS = new Set(['window', 'globalThis', 'self'])

/** Every global name and `object.member` used in an expression; `window.x` counts as `x`. */
function globalsIn(file: TreeFile): GlobalUse[] {
  const uses: GlobalUse[] = []
  const local = localNames(file)
  walk(file, (node) => {
    const name = nameOf(node)
    if (name !== null && !local.has(name.split('.')[0] ?? ''))
      uses.push({ name, line: lineOf(file, node), node })
  })
  return uses
}

function nameOf(node: ts.Node): string | null {
  if (ts.isIdentifier(node)) return isUse(node) ? node.text : null
  return ts.isPropertyAccessExpression(node) ? chainOf(node) : null
}

/** `a.b.c` as text, without a leading `window.`; null when a part of the chain is not a plain name. */
function chainOf(node: ts.Expression): string | null {
  if (ts.isIdentifier(node)) return node.text
  if (!ts.isPropertyAccessExpression(node)) return null
  const owner = chainOf(node.expression)
  if (owner === null) return null
  return HOLDERS.has(owner) ? node.name.text : `${owner}.${node.name.text}`
}

/** True for an identifier used as a value: not a member, a key, a type or a declaration. */
function isUse(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node
  if (ts.isShorthandPropertyAssignment(parent)) return true
  if (ts.isVariableDeclaration(parent) || ts.isParameter(parent) || ts.isBindingElement(parent))
    return parent.initializer === node
  return (
    ts.isExpression(parent) ||
    ts.isStatement(parent) ||
    ts.isSpreadAssignment(parent) ||
    ts.isJsxExpression(parent)
  )
}

/** Names that the file imports or declares; they hide a global of the same name. */
function localNames(file: TreeFile): Set<string> {
  const names = new Set<string>()
  walk(file, (node) => {
    if (isNaming(node) && node.name && ts.isIdentifier(node.name)) names.add(node.name.text)
  })
  return names
}

const isNaming = (node: ts.Node): node is ts.NamedDeclaration =>
  ts.isImportSpecifier(node) ||
  ts.isImportClause(node) ||
  ts.isNamespaceImport(node) ||
  ts.isVariableDeclaration(node) ||
  ts.isParameter(node) ||
  ts.isBindingElement(node) ||
  ts.isFunctionDeclaration(node)

const BANNED = new Set([
  'Date.now',
  'Math.random',
  'performance.now',
  'performance.timeOrigin',
  'crypto.randomUUID',
  'crypto.getRandomValues',
  'Temporal.Now',
  'setTimeout',
  'setInterval',
  'setImmediate',
])

/** `new Date()` and `Date()` read the clock; `new Date(ms)` does not. */
function readsClock({ name, node }: GlobalUse): boolean {
  if (BANNED.has(name)) return true
  if (name !== 'Date') return false
  if (ts.isNewExpression(node.parent)) return (node.parent.arguments?.length ?? 0) === 0
  return ts.isCallExpression(node.parent)
}

const clockFindings = (file: TreeFile): Finding[] =>
  globalsIn(file)
    .filter(readsClock)
    .map(({ name, line }) => ({
      path: file.path,
      line,
      message: `${name} makes the outcome depend on the moment: take the time or the number as a parameter.`,
    }))

export const clock: Rule = {
  name: 'clock',
  description: 'Core and contract read no clock and no random number.',
  check: (tree) => {
    const files = codeFiles(tree, (path) => /^packages\/(core|contract)\/src\//.test(path))
    return { checked: files.length, findings: files.flatMap(clockFindings) }
  },
}

const CONFIG = 'apps/server/src/platform/config/config.ts'
const mayRead = (path: string): boolean =>
  path === CONFIG ||
  isTest(path) ||
  /^(tools|testing|e2e|bench|faults)\//.test(path) ||
  /^[a-z]+\.config\.ts$/.test(path)

const MESSAGE = `reads the environment: add the setting to ${CONFIG} and take it as a parameter.`

function environmentFindings(tree: Tree, file: TreeFile): Finding[] {
  const uses = globalsIn(file).filter(({ name }) => name === 'process.env')
  const imports = importsOf(tree, file).filter(({ specifier }) => /^(node:)?process$/.test(specifier))
  return [...uses, ...imports].map(({ line }) => ({ path: file.path, line, message: MESSAGE }))
}

export const environment: Rule = {
  name: 'environment',
  description: `Only ${CONFIG} reads process.env; development tools and tests may as well.`,
  check: (tree) => {
    const files = codeFiles(tree, (path) => !mayRead(path))
    return { checked: files.length, findings: files.flatMap((file) => environmentFindings(tree, file)) }
  },
}

const RESTRICTED = new Set([
  'fetch',
  'XMLHttpRequest',
  'WebSocket',
  'EventSource',
  'localStorage',
  'sessionStorage',
  'indexedDB',
  'document.cookie',
])

const isComponent = (path: string): boolean =>
  !isTest(path) &&
  ((path.startsWith('packages/ui/src/') && !path.startsWith('packages/ui/src/connection/')) ||
    (webFolder(path) !== null && path.endsWith('.tsx')))

function componentFindings(file: TreeFile): Finding[] {
  const uses = globalsIn(file).filter(
    ({ name }) => RESTRICTED.has(name) || RESTRICTED.has(name.split('.')[0] ?? ''),
  )
  const byLine = new Map(uses.map(({ name, line }) => [line, name]))
  return [...byLine].map(([line, name]) => ({
    path: file.path,
    line,
    message: `a component must not use ${name}: use live/ or the area's queries.ts.`,
  }))
}

export const components: Rule = {
  name: 'components',
  description: 'A component never uses fetch, sockets or storage.',
  check: (tree) => {
    const files = codeFiles(tree, isComponent)
    return { checked: files.length, findings: files.flatMap(componentFindings) }
  },
}
