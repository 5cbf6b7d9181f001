import { posix } from 'node:path'
import ts from 'typescript'
import { keysOf } from './translations.ts'
import type { Finding, Rule } from './rule.ts'
import { codeFiles, isTest, walk, type Tree, type TreeFile } from './tree.ts'

/** A catalogue, and the folders whose code speaks its texts. */
const SPEAKERS: Readonly<Record<string, readonly string[]>> = {
  'apps/web/src/i18n/messages/en.json': ['apps/web/src/'],
  'packages/contract/src/words/en.json': ['packages/contract/src/', 'apps/web/src/', 'apps/server/src/'],
  'apps/server/src/i18n/en.json': ['apps/server/src/', 'packages/contract/src/'],
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** What a file may ask for: whole keys or their ends, and the shapes of keys that it puts together. */
function asked(file: TreeFile): { texts: string[]; shapes: RegExp[] } {
  const texts: string[] = []
  const shapes: RegExp[] = []
  walk(file, (node) => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text)
    if (ts.isTemplateExpression(node) && /\w\.|\.\w/.test(fixed(node))) shapes.push(shapeOf(node))
  })
  return { texts, shapes }
}

const fixed = ({ head, templateSpans }: ts.TemplateExpression): string =>
  head.text + templateSpans.map(({ literal }) => literal.text).join('')

const shapeOf = ({ head, templateSpans }: ts.TemplateExpression): RegExp =>
  new RegExp(
    `(^|\\.)${escaped(head.text)}${templateSpans.map(({ literal }) => `[^.]+${escaped(literal.text)}`).join('')}$`,
  )

/** A key, and each of its ends: namespaces are often given apart. */
const endsOf = (key: string): string[] =>
  key.split('.').map((_, index, parts) => parts.slice(index).join('.'))

function unusedIn(
  tree: Tree,
  path: string,
  folders: readonly string[],
): { looked: number; findings: Finding[] } {
  const catalogue = tree.get(path)
  if (!catalogue) return { looked: 0, findings: [] }
  const speakers = codeFiles(
    tree,
    (file) => folders.some((folder) => file.startsWith(folder)) && !isTest(file),
  )
  const all = speakers.map(asked)
  const texts = new Set(all.flatMap((one) => one.texts))
  const shapes = all.flatMap((one) => one.shapes)
  const isAsked = (key: string): boolean =>
    endsOf(key).some((end) => texts.has(end)) || shapes.some((shape) => shape.test(key))
  const keys = keysOf(JSON.parse(catalogue.text))
  const unused = keys.filter((key) => !isAsked(key))
  const message = (key: string) =>
    `nobody asks for "${key}": take it out of every ${posix.basename(posix.dirname(path))} catalogue.`
  return { looked: keys.length, findings: unused.map((key) => ({ path, message: message(key) })) }
}

export const unusedMessages: Rule = {
  name: 'unused-messages',
  says: 'Every text of a catalogue is asked for by the code beside it.',
  mayRest: (tree) => Object.keys(SPEAKERS).every((path) => !tree.has(path)),
  look: (tree) => {
    const judged = Object.entries(SPEAKERS).map(([path, folders]) => unusedIn(tree, path, folders))
    return {
      looked: judged.reduce((sum, { looked }) => sum + looked, 0),
      findings: judged.flatMap(({ findings }) => findings),
    }
  },
}
