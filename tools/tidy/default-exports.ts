import ts from 'typescript'
import type { Finding, Rule } from './rule.ts'
import { codeFiles, lineOf, walk, type TreeFile } from './tree.ts'

/** Tools read a default export from their config files, and declaration files describe other people's modules. */
const isFree = (path: string): boolean => /(^|\/)[a-z]+\.config\.ts$/.test(path) || path.endsWith('.d.ts')

function isDefaultExport(node: ts.Node): boolean {
  if (ts.isExportAssignment(node)) return true
  if (ts.isExportSpecifier(node)) return node.name.text === 'default'
  if (!ts.canHaveModifiers(node)) return false
  return ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) ?? false
}

function findingsIn(file: TreeFile): Finding[] {
  const findings: Finding[] = []
  const message = 'default export: export it by its name, so that it is called the same everywhere.'
  walk(file, (node) => {
    if (isDefaultExport(node)) findings.push({ path: file.path, line: lineOf(file, node), message })
  })
  return findings
}

export const defaultExports: Rule = {
  name: 'default-exports',
  says: 'Everything is exported by its name; only the config files of tools are free.',
  look: (tree) => {
    const files = codeFiles(tree, (path) => !isFree(path))
    return { looked: files.length, findings: files.flatMap(findingsIn) }
  },
}
