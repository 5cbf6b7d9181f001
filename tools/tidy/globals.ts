import ts from 'typescript'
import { lineOf, walk, type TreeFile } from './tree.ts'

/** A use of something nobody imported: `name` is written `fetch` or `Date.now`. */
export type GlobalUse = { readonly name: string; readonly line: number; readonly node: ts.Node }

const HOLDERS = new Set(['window', 'globalThis', 'self'])

/** Every global name and `object.member` the file uses in an expression; `window.x` counts as `x`. */
export function globalsIn(file: TreeFile): GlobalUse[] {
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

/** `a.b.c` as text, without a leading `window.`; null when a link of the chain is not a plain name. */
function chainOf(node: ts.Expression): string | null {
  if (ts.isIdentifier(node)) return node.text
  if (!ts.isPropertyAccessExpression(node)) return null
  const owner = chainOf(node.expression)
  if (owner === null) return null
  return HOLDERS.has(owner) ? node.name.text : `${owner}.${node.name.text}`
}

/** True for an identifier that stands for a value, not for a member, a key, a type or a new name. */
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

/** Names the file imports or declares itself; they hide a global of the same name. */
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
