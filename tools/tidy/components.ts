import { globalsIn } from './globals.ts'
import type { Finding, Rule } from './rule.ts'
import { codeFiles, isTest, type TreeFile } from './tree.ts'
import { webFolder } from './words.ts'

const DOORS = new Set([
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
  (path.startsWith('packages/ui/src/') || (webFolder(path) !== null && path.endsWith('.tsx')))

function findingsIn(file: TreeFile): Finding[] {
  const uses = globalsIn(file).filter(({ name }) => DOORS.has(name) || DOORS.has(name.split('.')[0] ?? ''))
  const byLine = new Map(uses.map(({ name, line }) => [line, name]))
  return [...byLine].map(([line, name]) => ({
    path: file.path,
    line,
    message: `a component must not touch ${name}: ask live/ or the area's queries.ts.`,
  }))
}

export const components: Rule = {
  name: 'components',
  says: 'A component never touches fetch, sockets or storage.',
  look: (tree) => {
    const files = codeFiles(tree, isComponent)
    return { looked: files.length, findings: files.flatMap(findingsIn) }
  },
}
