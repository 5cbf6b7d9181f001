import { ARROWS, type Arrow } from './arrow-table.ts'
import { importsOf } from './imports.ts'
import type { Finding, Rule } from './rule.ts'
import { codeFiles, type Tree, type TreeFile } from './tree.ts'

function findingsFor(tree: Tree, arrow: Arrow, file: TreeFile): Finding[] {
  return importsOf(tree, file)
    .filter((target) => arrow.isForbidden(target, file.path))
    .map(({ line, specifier }) => ({
      path: file.path,
      line,
      message: `must not import '${specifier}' (${arrow.name}): ${arrow.instead}.`,
    }))
}

/** An arrow that starts nowhere guards nothing, so each must find files to start from. */
function judgeArrow(tree: Tree, arrow: Arrow): Finding[] {
  const files = codeFiles(tree, arrow.from)
  if (files.length > 0) return files.flatMap((file) => findingsFor(tree, arrow, file))
  const message = `the arrow "${arrow.name}" starts at no file: correct its paths.`
  return [{ path: 'tools/tidy/arrow-table.ts', message }]
}

export const arrows: Rule = {
  name: 'arrows',
  says: 'Imports go one way: core ← contract ← apps, areas and features apart, hosts before guests.',
  look: (tree) => ({
    looked: codeFiles(tree).reduce((sum, file) => sum + importsOf(tree, file).length, 0),
    findings: ARROWS.flatMap((arrow) => judgeArrow(tree, arrow)),
  }),
}
