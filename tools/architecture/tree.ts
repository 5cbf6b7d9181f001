import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import ts from 'typescript'

/** One file of the repository; `path` is relative to the root, with forward slashes. */
export type TreeFile = { readonly path: string; readonly text: string }
export type Tree = ReadonlyMap<string, TreeFile>

const SKIPPED = new Set([
  '.git',
  'node_modules',
  'dist',
  'data',
  'test-results',
  'playwright-report',
  '.cache',
])
const READ = new Set(['.ts', '.tsx', '.mjs', '.js', '.json', '.html', '.md', '.css', '.sql', '.yml'])
const CODE = new Set(['.ts', '.tsx', '.mjs', '.js'])

/** Reads every text file below `root` that a rule may check, without installed, built and generated folders. */
export function readTree(root: string): Tree {
  const files = new Map<string, TreeFile>()
  for (const path of pathsBelow(root, ''))
    files.set(path, { path, text: readFileSync(join(root, path), 'utf8') })
  return files
}

function* pathsBelow(root: string, folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory() && !SKIPPED.has(entry.name) && path !== 'data') yield* pathsBelow(root, path)
    else if (entry.isFile() && READ.has(extname(entry.name))) yield path
  }
}

/** A tree for tests of the rules: path to text. */
export const treeOf = (texts: Readonly<Record<string, string>>): Tree =>
  new Map(Object.entries(texts).map(([path, text]) => [path, { path, text }]))

/** The code files, in the order of the tree. */
export const codeFiles = (tree: Tree, isWanted: (path: string) => boolean = () => true): TreeFile[] =>
  [...tree.values()].filter(({ path }) => CODE.has(extname(path)) && isWanted(path))

export const isTest = (path: string): boolean => /\.(test|spec)\.(ts|tsx|mjs)$/.test(path)

/** The contract's files with the names used in messages. */
export const isWire = (path: string): boolean => /^packages\/contract\/src\/.*\.wire\.ts$/.test(path)

/** Code for tests: `test-*.ts`, or anything in a folder called testing. */
export const isTestSupport = (path: string): boolean => /(^|\/)(test-[^/]+\.tsx?$|testing\/)/.test(path)

const parsedFiles = new WeakMap<TreeFile, ts.SourceFile>()

/** The file's syntax tree, parsed once. */
export function parse(file: TreeFile): ts.SourceFile {
  const known = parsedFiles.get(file)
  if (known) return known
  const parsed = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true)
  parsedFiles.set(file, parsed)
  return parsed
}

/** Calls `visit` with every node of the file, parents first. */
export function walk(file: TreeFile, visit: (node: ts.Node) => void): void {
  const step = (node: ts.Node): void => {
    visit(node)
    ts.forEachChild(node, step)
  }
  step(parse(file))
}

/** The line of a node, counted from 1. */
export const lineOf = (file: TreeFile, node: ts.Node): number =>
  parse(file).getLineAndCharacterOfPosition(node.getStart()).line + 1
