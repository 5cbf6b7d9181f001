import ts from 'typescript'
import type { Rule } from './rule.ts'
import { codeFiles, parse, type TreeFile } from './tree.ts'

/** Of a package, or of a folder that it offers under a name of its own. */
const isPackageIndex = (path: string): boolean => /^packages\/[^/]+\/src\/([^/]+\/)?index\.ts$/.test(path)

function isBarrel(file: TreeFile): boolean {
  const { statements } = parse(file)
  return (
    statements.length > 0 && statements.every((node) => ts.isExportDeclaration(node) && node.moduleSpecifier)
  )
}

export const barrels: Rule = {
  name: 'barrels',
  says: "No file that only passes on the exports of others, but for a package's index.ts.",
  look: (tree) => {
    const files = codeFiles(tree, (path) => !isPackageIndex(path))
    const message =
      'only passes on exports of others: import from the file that makes them, and delete this one.'
    return { looked: files.length, findings: files.filter(isBarrel).map(({ path }) => ({ path, message })) }
  },
}
