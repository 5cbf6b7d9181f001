import type { Finding, Rule } from './rule.ts'
import type { Tree } from './tree.ts'

const PAGE = 'docs/architecture.md'
/** `### An order, from thumb to receipt: 89 files` */
const WAY = /^### .*: (\d+) files$/
const FOLDER = /^\d+\. `([^`]+\/)`/
const NAME = /`([^`]+\.tsx?)`/g

/** The files of each way, as its list names them: a folder first, then files in it. */
function judgeWays(tree: Tree, text: string): { looked: number; findings: Finding[] } {
  const findings: Finding[] = []
  let looked = 0
  let way: { told: number; line: number; files: number } | null = null
  const end = () => {
    if (way && way.files !== way.told)
      findings.push({
        path: PAGE,
        line: way.line,
        message: `${way.files} files are named, ${way.told} told.`,
      })
    way = null
  }
  text.split('\n').forEach((line, index) => {
    if (line.startsWith('#')) end()
    const told = WAY.exec(line)?.[1]
    if (told !== undefined) way = { told: Number(told), line: index + 1, files: 0 }
    const folder = FOLDER.exec(line)?.[1]
    if (!way || folder === undefined) return
    for (const [, name] of line.matchAll(NAME)) {
      looked += 1
      way.files += 1
      if (!tree.has(`${folder}${name}`))
        findings.push({ path: PAGE, line: index + 1, message: `there is no ${folder}${name}.` })
    }
  })
  end()
  return { looked, findings }
}

export const ways: Rule = {
  name: 'ways',
  says: 'The two ways in docs/architecture.md name files that exist, and count them.',
  mayRest: (tree) => !tree.has(PAGE),
  look: (tree) => judgeWays(tree, tree.get(PAGE)?.text ?? ''),
}
