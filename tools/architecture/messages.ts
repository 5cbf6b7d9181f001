import { posix } from 'node:path'
import type { Finding, Rule } from './rule.ts'
import { type Tree, type TreeFile, codeFiles, isTest, walk } from './tree.ts'
import ts from 'typescript'

/** Keys with their path: `{ a: { b: 'text' } }` gives `a.b`. An empty text counts as missing. */
function keysOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return value === '' ? [] : [path]
  return Object.entries(value).flatMap(([key, inner]) => keysOf(inner, path === '' ? key : `${path}.${key}`))
}

/** Catalogues, with the folders whose code uses their texts. */
const USERS: Readonly<Record<string, readonly string[]>> = {
  'apps/web/src/i18n/messages/en.json': ['apps/web/src/'],
  'packages/contract/src/labels/en.json': ['packages/contract/src/', 'apps/web/src/', 'apps/server/src/'],
  'apps/server/src/platform/i18n/en.json': ['apps/server/src/', 'packages/contract/src/'],
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The keys that a file may use: whole keys or their ends, and patterns of composed keys. */
function requested(file: TreeFile): { texts: string[]; shapes: RegExp[] } {
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

/** A key and each of its ends, because namespaces are often given separately. */
const endsOf = (key: string): string[] =>
  key.split('.').map((_, index, parts) => parts.slice(index).join('.'))

function unusedIn(
  tree: Tree,
  path: string,
  folders: readonly string[],
): { checked: number; findings: Finding[] } {
  const catalogue = tree.get(path)
  if (!catalogue) return { checked: 0, findings: [] }
  const users = codeFiles(tree, (file) => folders.some((folder) => file.startsWith(folder)) && !isTest(file))
  const all = users.map(requested)
  const texts = new Set(all.flatMap((one) => one.texts))
  const shapes = all.flatMap((one) => one.shapes)
  const isRequested = (key: string): boolean =>
    endsOf(key).some((end) => texts.has(end)) || shapes.some((shape) => shape.test(key))
  const keys = keysOf(JSON.parse(catalogue.text))
  const unused = keys.filter((key) => !isRequested(key))
  const message = (key: string) =>
    `nothing uses "${key}": remove it from every ${posix.basename(posix.dirname(path))} catalogue.`
  return { checked: keys.length, findings: unused.map((key) => ({ path, message: message(key) })) }
}

export const unusedMessages: Rule = {
  name: 'unused-messages',
  description: 'Every text of a catalogue is used by the code.',
  mayBeEmpty: (tree) => Object.keys(USERS).every((path) => !tree.has(path)),
  check: (tree) => {
    const checks = Object.entries(USERS).map(([path, folders]) => unusedIn(tree, path, folders))
    return {
      checked: checks.reduce((sum, { checked }) => sum + checked, 0),
      findings: checks.flatMap(({ findings }) => findings),
    }
  },
}
