import ts from 'typescript'
import type { Finding, Rule } from './rule.ts'
import { codeFiles, isTest, isTestSupport, lineOf, walk, type Tree, type TreeFile } from './tree.ts'

/** Fields of the wire that our own app does not read, each with who does. */
export const READ_BY_OTHERS: Readonly<Record<string, string>> = {
  sameLevel: 'clients of the family read the margin level under either of two names',
  createdText: 'clients of the family show the time of a booking as this text',
  turnover: 'clients of the family expect the Amount of a bar; no feed knows it, so it is null',
  lastPrice: 'clients of the family show it before the first push; it is the close of the day',
  userId: 'clients of the family look whether a message is for them',
  marketTime: 'programs set their clock by it; our app learns the time from the prices',
  sentence: 'clients of the family show the warning of a stop as this text',
}

const WIRE = 'packages/contract/src/wire/'
const READERS = ['apps/web/src/', 'apps/desk/src/', 'packages/contract/src/']

/** A table of clean names, and where each stands. */
type Noun = ReadonlyMap<string, { readonly path: string; readonly line: number }>

function nounsIn(file: TreeFile): Noun[] {
  const nouns: Noun[] = []
  walk(file, (node) => {
    if (!ts.isCallExpression(node) || node.expression.getText() !== 'noun') return
    const [table] = node.arguments
    if (!table || !ts.isObjectLiteralExpression(table)) return
    const fields = table.properties.filter(ts.isPropertyAssignment)
    nouns.push(
      new Map(fields.map((field) => [field.name.getText(), { path: file.path, line: lineOf(file, field) }])),
    )
  })
  return nouns
}

const own = (tree: Tree, isWanted: (path: string) => boolean): TreeFile[] =>
  codeFiles(tree, (path) => isWanted(path) && !isTest(path) && !isTestSupport(path))

/** Every name that the app and the contract behind its wire folder say. */
function namesRead(tree: Tree): Set<string> {
  const names = new Set<string>()
  const files = own(
    tree,
    (path) => READERS.some((folder) => path.startsWith(folder)) && !path.startsWith(WIRE),
  )
  for (const file of files)
    walk(file, (node) => {
      if (ts.isIdentifier(node)) names.add(node.text)
    })
  return names
}

function unread(tree: Tree, nouns: readonly Noun[]): Finding[] {
  const read = namesRead(tree)
  const fields = new Map(nouns.flatMap((noun) => [...noun]))
  const dead = [...fields].filter(([name]) => !read.has(name) && !(name in READ_BY_OTHERS))
  const stale = Object.keys(READ_BY_OTHERS).filter((name) => fields.has(name) && read.has(name))
  return [
    ...dead.map(([name, place]) => ({
      ...place,
      message: `no app reads "${name}": take it off the wire, or say in tools/tidy/wire-fields.ts who does.`,
    })),
    ...stale.map((name) => ({
      path: 'tools/tidy/wire-fields.ts',
      message: `an app reads "${name}" by now: take it off READ_BY_OTHERS.`,
    })),
  ]
}

const isEmpty = (value: ts.Expression): boolean => ["''", '[]', 'null'].includes(value.getText())

/** So much an object and a noun have to share to be one: a noun is often reshaped, and written in pieces. */
const SHARE = 0.6
const LEAST_FIELDS = 3

const isOf = (noun: Noun, names: readonly string[]): boolean => {
  const shared = names.filter((name) => noun.has(name)).length
  return shared >= LEAST_FIELDS && shared >= Math.max(noun.size, names.length) * SHARE
}

type Written = { readonly isEmpty: boolean; readonly path: string; readonly line: number }

/** What an object says about the fields of a noun; a field is empty while nobody fills it. */
function note(
  file: TreeFile,
  noun: Noun,
  object: ts.ObjectLiteralExpression,
  known: Map<string, Written>,
): void {
  for (const property of object.properties) {
    const name = property.name?.getText() ?? ''
    if (!noun.has(name)) continue
    const isNothing = ts.isPropertyAssignment(property) && isEmpty(property.initializer)
    const isStillEmpty = isNothing && (known.get(name)?.isEmpty ?? true)
    known.set(name, { isEmpty: isStillEmpty, path: file.path, line: lineOf(file, property) })
  }
}

/** Fields that the server fills with nothing wherever it makes their noun. */
function alwaysEmpty(tree: Tree, nouns: readonly Noun[]): Finding[] {
  const written = new Map(nouns.map((noun) => [noun, new Map<string, Written>()]))
  for (const file of own(tree, (path) => path.startsWith('apps/server/src/')))
    walk(file, (node) => {
      if (!ts.isObjectLiteralExpression(node)) return
      const names = node.properties.map((property) => property.name?.getText() ?? '')
      for (const [noun, known] of written) if (isOf(noun, names)) note(file, noun, node, known)
    })
  const empty = [...written.values()].flatMap((known) => [...known].filter(([, field]) => field.isEmpty))
  return empty.map(([name, { path, line }]) => ({
    ...{ path, line },
    message: `"${name}" is always empty: fill it, or take it off the wire.`,
  }))
}

export const wireFields: Rule = {
  name: 'wire-fields',
  says: 'Every field of the wire is filled by the server and read by an app.',
  look: (tree) => {
    const nouns = own(tree, (path) => path.startsWith(WIRE)).flatMap(nounsIn)
    return {
      looked: nouns.reduce((sum, noun) => sum + noun.size, 0),
      findings: [...unread(tree, nouns), ...alwaysEmpty(tree, nouns)],
    }
  },
}
