/** The texts of the web app that have little room at 320 px, found in its code: those of tabs and buttons. */
import ts from 'typescript'
import { type Tree, type TreeFile, codeFiles, isTest } from '../architecture/tree.ts'

/** The widest text of a place, in Latin letters. */
export type Limit = { readonly place: string; readonly most: number }

const TAB: Limit = { place: 'a tab', most: 10 }
const IN_ROW: Limit = { place: 'a button beside another', most: 20 }
const ALONE: Limit = { place: 'a button', most: 32 }

const ROWS = /^Button(Row|Group)$/
/** Both buttons of a dialog. */
const DIALOG_LABELS = /^(confirmLabel|cancelLabel)$/

/** What surrounds a text: null outside of any button. */
type Place = { readonly limit: Limit | null; readonly isRow: boolean }

function placeOf(node: ts.Node, around: Place): Place {
  if (ts.isJsxElement(node)) {
    const name = node.openingElement.tagName.getText()
    if (ROWS.test(name)) return { ...around, isRow: true }
    if (name === 'Button') return { ...around, limit: around.isRow ? IN_ROW : ALONE }
  }
  if (ts.isJsxAttribute(node))
    return { ...around, limit: DIALOG_LABELS.test(node.name.getText()) ? IN_ROW : null }
  return around
}

/** Every text that stands in a button, with its limit. */
function* buttonTexts(file: TreeFile): Generator<[text: string, limit: Limit]> {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
  const visited: [ts.Node, Place][] = [[source, { limit: null, isRow: false }]]
  for (let next = visited.pop(); next; next = visited.pop()) {
    const [node, around] = next
    const place = placeOf(node, around)
    if (place.limit && ts.isStringLiteral(node)) yield [node.text, place.limit]
    ts.forEachChild(node, (child) => void visited.push([child, place]))
  }
}

/** The prefixes that a file's translators add to its keys. */
const prefixesOf = ({ text }: TreeFile): string[] =>
  [...text.matchAll(/useTranslations\((?:'([^']*)')?\)/g)].map(([, name]) =>
    name === undefined ? '' : `${name}.`,
  )

/** The limits of texts by their key; the smallest where a text is used in several places. */
export function limitsOf(tree: Tree, keys: Iterable<string>): ReadonlyMap<string, Limit> {
  const known = new Set(keys)
  const limits = new Map<string, Limit>()
  const add = (key: string, limit: Limit): void => {
    const before = limits.get(key)
    if (known.has(key) && (before === undefined || limit.most < before.most)) limits.set(key, limit)
  }
  for (const key of known) if (/^tabs\.(?!label$)/.test(key)) add(key, TAB)
  const screens = codeFiles(tree, (path) => /^apps\/web\/src\/.*\.tsx$/.test(path) && !isTest(path))
  for (const file of screens)
    for (const [text, limit] of buttonTexts(file))
      for (const prefix of prefixesOf(file)) add(`${prefix}${text}`, limit)
  return limits
}
