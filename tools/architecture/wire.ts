import type { Rule, Finding } from './rule.ts'
import { matchingLines } from './comments.ts'
import { codeFiles, isWire, isTest, isTestSupport, lineOf, walk, type Tree, type TreeFile } from './tree.ts'
import ts from 'typescript'

const WIRE_WORDS = `
  ForexContNum ForexMinCont ForexMaxCont ForexFeeRate ForexId ForexTradeLists ForexQuotations HasForexMultiple
  ShowCode PricePrecision MarginMode NameShowTrans OrderType OriginPrice UpdatePrice
  TargetProfitPrice TargetLossPrice CautionMoney OriginCautionMoney CautionMoneyAll FactProfits ProfitsTotal HazardRate
  TransOrder ClosedType CreateTimeHandler MemoTran CreatedAtTran NowTime
  forex_id target_profit_price stop_loss_price target_loss_price all_fact_profits lock_balance quickCharge quick_ist
  quick_list draw_method draw_currency_id draw_rate available_prepayment prepayment_ratio current_margin dc_address
`
  .trim()
  .split(/\s+/)

const PATTERN = new RegExp(`\\b(${WIRE_WORDS.join('|')})\\b`)

/** Browser tests and tests named `.wire.test.ts` use the raw API as a foreign client does. */
const speaksWire = (path: string): boolean =>
  isWire(path) ||
  path.startsWith('tools/architecture/') ||
  path.startsWith('e2e/') ||
  path.endsWith('.wire.test.ts')

export const wireAccountLabels: Rule = {
  name: 'wire-words',
  description: "The API's odd names occur only in the .wire.ts files of packages/contract.",
  check: (tree) => {
    const files = codeFiles(tree, (path) => !speaksWire(path))
    const message = (word: string): string =>
      `"${word}" is a name of the API: use the clean name of the contract. ` +
      'A test of the raw API is called *.wire.test.ts.'
    return { checked: files.length, findings: files.flatMap((file) => matchingLines(file, PATTERN, message)) }
  },
}

/** Fields of the API that our own apps do not read, with their readers. */
export const READ_BY_OTHERS: Readonly<Record<string, string>> = {
  sameLevel: 'clients of the family read the margin level under either of two names',
  createdText: 'clients of the family show the time of a booking as this text',
  turnover: 'clients of the family expect the Amount of a bar; no feed knows it, so it is null',
  lastPrice: 'clients of the family show it before the first push; it is the close of the day',
  marketTime: 'programs set their clock by it; our app learns the time from the prices',
  totalRate: 'clients of the family show it in their list of followed traders',
  totalOrders: 'clients of the family show it in their list of followed traders',
  sameCredited: 'clients of the protocol read the amount credited under either of two names',
  providerResult: 'clients of the protocol show it beside the result of the copy; our app shows both rates',
  firedAt: 'clients of the protocol show when an alert fired by this time; our app reads it with the tick',
  warningText: 'clients of the family show the warning of a stop as this text',
}

const READERS = [
  'apps/web/src/',
  'apps/desk/src/',
  'packages/contract/src/',
  // Hands both apps' passkeys to the browser.
  'packages/ui/src/passkeys/',
]

/** The clean names of an object, and where each is defined. */
type WireObject = ReadonlyMap<string, { readonly path: string; readonly line: number }>

function wireObjectsIn(file: TreeFile): WireObject[] {
  const wireObjects: WireObject[] = []
  walk(file, (node) => {
    if (!ts.isCallExpression(node) || node.expression.getText() !== 'object') return
    const [table] = node.arguments
    if (!table || !ts.isObjectLiteralExpression(table)) return
    const fields = table.properties.filter(ts.isPropertyAssignment)
    wireObjects.push(
      new Map(fields.map((field) => [field.name.getText(), { path: file.path, line: lineOf(file, field) }])),
    )
  })
  return wireObjects
}

const own = (tree: Tree, isWanted: (path: string) => boolean): TreeFile[] =>
  codeFiles(tree, (path) => isWanted(path) && !isTest(path) && !isTestSupport(path))

/** Every name used in the apps and in the contract outside its wire files. */
function namesRead(tree: Tree): Set<string> {
  const names = new Set<string>()
  const files = own(tree, (path) => READERS.some((folder) => path.startsWith(folder)) && !isWire(path))
  for (const file of files)
    walk(file, (node) => {
      if (ts.isIdentifier(node)) names.add(node.text)
    })
  return names
}

function unread(tree: Tree, wireObjects: readonly WireObject[]): Finding[] {
  const read = namesRead(tree)
  const fields = new Map(wireObjects.flatMap((wireObject) => [...wireObject]))
  const dead = [...fields].filter(([name]) => !read.has(name) && !(name in READ_BY_OTHERS))
  const stale = Object.keys(READ_BY_OTHERS).filter((name) => fields.has(name) && read.has(name))
  return [
    ...dead.map(([name, place]) => ({
      ...place,
      message: `no app reads "${name}": remove it from the API, or say in tools/architecture/wire.ts who reads it.`,
    })),
    ...stale.map((name) => ({
      path: 'tools/architecture/wire.ts',
      message: `an app reads "${name}" now: remove it from READ_BY_OTHERS.`,
    })),
  ]
}

const isEmpty = (value: ts.Expression): boolean => ["''", '[]', 'null'].includes(value.getText())

/**
 * The share of common fields from which a literal counts as a wire object: it may be transformed or written in parts.
 */
const SHARE = 0.6
const MIN_FIELDS = 3

const isOf = (wireObject: WireObject, names: readonly string[]): boolean => {
  const shared = names.filter((name) => wireObject.has(name)).length
  return shared >= MIN_FIELDS && shared >= Math.max(wireObject.size, names.length) * SHARE
}

type Written = { readonly isEmpty: boolean; readonly path: string; readonly line: number }

/** Records which fields of a wire object a literal fills; a field is empty until some code fills it. */
function note(
  file: TreeFile,
  wireObject: WireObject,
  object: ts.ObjectLiteralExpression,
  known: Map<string, Written>,
): void {
  for (const property of object.properties) {
    const name = property.name?.getText() ?? ''
    if (!wireObject.has(name)) continue
    const isNothing = ts.isPropertyAssignment(property) && isEmpty(property.initializer)
    const isStillEmpty = isNothing && (known.get(name)?.isEmpty ?? true)
    known.set(name, { isEmpty: isStillEmpty, path: file.path, line: lineOf(file, property) })
  }
}

/** Fields that the server never fills. */
function alwaysEmpty(tree: Tree, wireObjects: readonly WireObject[]): Finding[] {
  const written = new Map(wireObjects.map((wireObject) => [wireObject, new Map<string, Written>()]))
  for (const file of own(tree, (path) => path.startsWith('apps/server/src/')))
    walk(file, (node) => {
      if (!ts.isObjectLiteralExpression(node)) return
      const names = node.properties.map((property) => property.name?.getText() ?? '')
      for (const [wireObject, known] of written)
        if (isOf(wireObject, names)) note(file, wireObject, node, known)
    })
  const empty = [...written.values()].flatMap((known) => [...known].filter(([, field]) => field.isEmpty))
  return empty.map(([name, { path, line }]) => ({
    path,
    line,
    message: `"${name}" is always empty: fill it, or remove it from the API.`,
  }))
}

export const wireFields: Rule = {
  name: 'wire-fields',
  description: 'Every field of the API is filled by the server and read by an app.',
  check: (tree) => {
    const wireObjects = own(tree, isWire).flatMap(wireObjectsIn)
    return {
      checked: wireObjects.reduce((sum, wireObject) => sum + wireObject.size, 0),
      findings: [...unread(tree, wireObjects), ...alwaysEmpty(tree, wireObjects)],
    }
  },
}
