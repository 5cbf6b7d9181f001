import ts from 'typescript'
import type { Rule, Finding } from './rule.ts'
import { codeFiles, parse, type TreeFile, lineOf, walk } from './tree.ts'

/** The index of a package, or of a folder that it exports under its own name. */
const isPackageIndex = (path: string): boolean => /^packages\/[^/]+\/src\/([^/]+\/)?index\.ts$/.test(path)

function isBarrel(file: TreeFile): boolean {
  const { statements } = parse(file)
  return (
    statements.length > 0 && statements.every((node) => ts.isExportDeclaration(node) && node.moduleSpecifier)
  )
}

export const barrels: Rule = {
  name: 'barrels',
  description: "No file only re-exports others, except a package's index.ts.",
  check: (tree) => {
    const files = codeFiles(tree, (path) => !isPackageIndex(path))
    const message = 'only re-exports others: import from the defining file, and delete this one.'
    return { checked: files.length, findings: files.filter(isBarrel).map(({ path }) => ({ path, message })) }
  },
}

/** Tools read a default export from their config files, and declaration files describe other modules. */
const isFree = (path: string): boolean => /(^|\/)[a-z]+\.config\.ts$/.test(path) || path.endsWith('.d.ts')

function isDefaultExport(node: ts.Node): boolean {
  if (ts.isExportAssignment(node)) return true
  if (ts.isExportSpecifier(node)) return node.name.text === 'default'
  if (!ts.canHaveModifiers(node)) return false
  return ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) ?? false
}

function findingsIn(file: TreeFile): Finding[] {
  const findings: Finding[] = []
  const message = 'default export: use a named export, so that it has the same name everywhere.'
  walk(file, (node) => {
    if (isDefaultExport(node)) findings.push({ path: file.path, line: lineOf(file, node), message })
  })
  return findings
}

export const defaultExports: Rule = {
  name: 'default-exports',
  description: 'Only named exports, except in the config files of tools.',
  check: (tree) => {
    const files = codeFiles(tree, (path) => !isFree(path))
    return { checked: files.length, findings: files.flatMap(findingsIn) }
  },
}
