import ts from 'typescript'
import { globalsIn, type GlobalUse } from './globals.ts'
import type { Finding, Rule } from './rule.ts'
import { codeFiles, type TreeFile } from './tree.ts'

const BANNED = new Set([
  'Date.now',
  'Math.random',
  'performance.now',
  'performance.timeOrigin',
  'crypto.randomUUID',
  'crypto.getRandomValues',
  'Temporal.Now',
  'setTimeout',
  'setInterval',
  'setImmediate',
])

/** `new Date()` and `Date()` read the clock; `new Date(ms)` does not. */
function readsClock({ name, node }: GlobalUse): boolean {
  if (BANNED.has(name)) return true
  if (name !== 'Date') return false
  if (ts.isNewExpression(node.parent)) return (node.parent.arguments?.length ?? 0) === 0
  return ts.isCallExpression(node.parent)
}

const findingsIn = (file: TreeFile): Finding[] =>
  globalsIn(file)
    .filter(readsClock)
    .map(({ name, line }) => ({
      path: file.path,
      line,
      message: `${name} makes the outcome depend on the moment: take the time or the number as a parameter.`,
    }))

export const clock: Rule = {
  name: 'clock',
  says: 'Core and contract read no clock and draw no random number.',
  look: (tree) => {
    const files = codeFiles(tree, (path) => /^packages\/(core|contract)\/src\//.test(path))
    return { looked: files.length, findings: files.flatMap(findingsIn) }
  },
}
