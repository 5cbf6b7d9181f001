import { posix } from 'node:path'
import ts from 'typescript'
import { lineOf, walk, type Tree, type TreeFile } from './tree.ts'

/** One module reference of a file: static, `export from`, dynamic, or a type import. */
export type Import = {
  readonly line: number
  readonly specifier: string
  /** The imported file, relative to the root; null for an external package. */
  readonly target: string | null
  readonly isTypeOnly: boolean
}

const importsByTree = new WeakMap<Tree, Map<string, readonly Import[]>>()

/** Every module reference of the file, resolved against the tree. */
export function importsOf(tree: Tree, file: TreeFile): readonly Import[] {
  const byPath = importsByTree.get(tree) ?? new Map<string, readonly Import[]>()
  importsByTree.set(tree, byPath)
  const imports = byPath.get(file.path) ?? readImports(tree, file)
  byPath.set(file.path, imports)
  return imports
}

function readImports(tree: Tree, file: TreeFile): Import[] {
  const imports: Import[] = []
  walk(file, (node) => {
    const specifier = specifierOf(node)
    if (specifier === null) return
    const target = resolve(tree, file.path, specifier)
    imports.push({ line: lineOf(file, node), specifier, target, isTypeOnly: isTypeOnly(node) })
  })
  return imports
}

function specifierOf(node: ts.Node): string | null {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return textOf(node.moduleSpecifier)
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
    return textOf(node.arguments[0])
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return textOf(node.argument.literal)
  return null
}

const textOf = (node: ts.Node | undefined): string | null =>
  node && ts.isStringLiteralLike(node) ? node.text : null

function isTypeOnly(node: ts.Node): boolean {
  if (ts.isImportTypeNode(node)) return true
  if (ts.isExportDeclaration(node)) return node.isTypeOnly
  if (!ts.isImportDeclaration(node)) return false
  const clause = node.importClause
  if (!clause) return false
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true
  const named = clause.namedBindings
  if (clause.name || !named || !ts.isNamedImports(named) || named.elements.length === 0) return false
  return named.elements.every((element) => element.isTypeOnly)
}

/**
 * Resolves `./x.ts` by the file's folder and `@fairlot/core` by the exports of its workspace. Everything else is
 * external.
 */
function resolve(tree: Tree, from: string, specifier: string): string | null {
  const plain = specifier.replace(/\?.*$/, '')
  if (plain.startsWith('.')) return existing(tree, posix.join(posix.dirname(from), plain))
  const own = /^@fairlot\/([^/]+)(?:\/(.+))?$/.exec(plain)
  if (!own) return null
  const [, name = '', inner] = own
  const folder = ['packages', 'apps'].map((home) => `${home}/${name}`).find((path) => hasFolder(tree, path))
  if (!folder) return null
  if (inner === undefined) return existing(tree, `${folder}/src/index.ts`)
  const exports = exportsOf(tree, folder)
  const offered = exports[`./${inner}`] ?? exports['./*']?.replace('*', inner)
  return existing(tree, posix.join(folder, offered ?? inner))
}

/** The files that a package exports, by name. */
function exportsOf(tree: Tree, folder: string): Readonly<Record<string, string>> {
  const { exports = {} } = JSON.parse(tree.get(`${folder}/package.json`)?.text ?? '{}') as {
    exports?: Record<string, string>
  }
  return exports
}

const hasFolder = (tree: Tree, folder: string): boolean =>
  [...tree.keys()].some((path) => path.startsWith(`${folder}/`))

const ENDINGS = ['', '.ts', '.tsx', '/index.ts', '/index.tsx']

/** A target that is not found is kept as written: an direction can still check it, and the type check reports it. */
const existing = (tree: Tree, path: string): string =>
  ENDINGS.map((ending) => path + ending).find((candidate) => tree.has(candidate)) ?? path
