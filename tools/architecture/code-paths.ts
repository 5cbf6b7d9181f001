import type { Finding, Rule } from './rule.ts'
import type { Tree } from './tree.ts'

const PAGE = 'docs/architecture.md'
/** `### A market order: 59 files` */
const PATH_HEADING = /^### .*: (\d+) files$/
const FOLDER = /^\d+\. `([^`]+\/)`/
const NAME = /`([^`]+\.tsx?)`/g

/** Checks the lists of files of each code path: a folder first, then files in it. */
function checkPaths(tree: Tree, text: string): { checked: number; findings: Finding[] } {
  const findings: Finding[] = []
  let checked = 0
  let path: { reported: number; line: number; files: number } | null = null
  const end = () => {
    if (path && path.files !== path.reported)
      findings.push({
        path: PAGE,
        line: path.line,
        message: `${path.files} files are named, the heading counts ${path.reported}.`,
      })
    path = null
  }
  text.split('\n').forEach((line, index) => {
    if (line.startsWith('#')) end()
    const reported = PATH_HEADING.exec(line)?.[1]
    if (reported !== undefined) path = { reported: Number(reported), line: index + 1, files: 0 }
    const folder = FOLDER.exec(line)?.[1]
    if (!path || folder === undefined) return
    for (const [, name] of line.matchAll(NAME)) {
      checked += 1
      path.files += 1
      if (!tree.has(`${folder}${name}`))
        findings.push({ path: PAGE, line: index + 1, message: `there is no ${folder}${name}.` })
    }
  })
  end()
  return { checked, findings }
}

export const codePaths: Rule = {
  name: 'code-paths',
  description: 'The code paths in docs/architecture.md name files that exist, and count them.',
  mayBeEmpty: (tree) => !tree.has(PAGE),
  check: (tree) => checkPaths(tree, tree.get(PAGE)?.text ?? ''),
}
