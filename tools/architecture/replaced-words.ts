import { posix } from 'node:path'
import ts from 'typescript'
import type { Finding, Rule } from './rule.ts'
import { codeFiles, lineOf, walk, type Tree, type TreeFile } from './tree.ts'

/** Private words that need a glossary, each with its replacement. */
const REPLACED: Readonly<Record<string, string>> = {
  anew: 'again',
  whoever: 'anybody who',
  tell: 'report, publish, show',
  tells: 'reports, shows',
  told: 'reported, published',
  untold: 'unrecorded',
  asked: 'requested',
  asking: 'requesting',
  house: 'broker',
  night: 'rollover',
  nights: 'rollovers',
  financing: 'swap',
  financed: 'charged swap',
  living: 'active, open',
  underway: 'in progress',
  withheld: 'deferred',
  touched: 'changed, dirty',
  person: 'user, operator',
  people: 'users, operators',
  member: 'user',
  members: 'users',
  charge: 'deposit',
  road: 'timeline',
  twin: 'duplicate',
  twins: 'duplicates',
  noun: 'object',
  misfit: 'issue',
  reshape: 'transform',
  likeness: 'similar image',
  pulse: 'account snapshot',
  vouch: 'override, admit',
  vouched: 'overridden, admitted',
  foretell: 'scenario',
  planted: 'mutated',
  tidy: 'architecture checks',
}

type Exception = {
  /** Names that keep the word; without it every use in these files. */
  readonly names?: readonly string[]
  /** Prefixes of paths; without it all files. */
  readonly under?: readonly string[]
  readonly reason: string
}

/** Where a replaced word is allowed, and why. */
const EXCEPTIONS: readonly Exception[] = [
  {
    names: ['adjustmentAsked', 'AdjustmentAsked', 'askedBy', 'financedAt', 'night', 'nights'],
    reason: 'types and fields of events in the journal, which keeps its names',
  },
  {
    names: ['house'],
    under: ['packages/core/src/model/ledger.ts', 'packages/contract/src/desk/permissions.test.ts'],
    reason: 'part of the names of ledger accounts in the tables',
  },
  {
    names: [
      'maxLivingOrders',
      'personDayLimit',
      'SETTING_MAX_LIVING_ORDERS',
      'personDayLimitReached',
      'secondPersonAsked',
    ],
    reason: 'published settings and error codes',
  },
  {
    names: [
      'viewPeople',
      'exportPeople',
      'exportPerson',
      'notePerson',
      'addPersonNote',
      'restrictPerson',
      'logPersonOut',
      'verifyPerson',
      'resetPersonSecondFactor',
      'askPersonAdjustment',
      'closePersonOrder',
      'setPersonStatus',
      'getPersonStatement',
      'listPersonChat',
      'people',
      'person',
      'told',
      'asked',
      'askedAt',
      'houseToday',
      'houseDays',
    ],
    under: ['packages/contract/src/desk/', 'apps/', 'e2e/'],
    reason: "published names of the desk's calls, fields and permissions, which the audit log keeps",
  },
  {
    names: ['charge', 'charge_id', 'nights', 'asked'],
    under: ['packages/contract/src/'],
    reason: 'names of the published API',
  },
  {
    names: ['charge', 'charge_id'],
    under: [
      'apps/server/src/accounts/access.wire.test.ts',
      'apps/server/src/funds/desk/deposits.wire.test.ts',
      'apps/server/src/funds/bad-payment-input.wire.test.ts',
    ],
    reason: 'names of the published API, in tests that send it',
  },
  {
    names: ['askedReason', 'toldAt'],
    under: ['apps/server/src/accounts/own-data/'],
    reason: 'columns of the files that users download',
  },
  {
    names: ['house'],
    under: ['apps/server/src/desk/exports/exports.wire.test.ts'],
    reason: 'the name of a file that operators download',
  },
  {
    names: [
      'asked_at',
      'asked_by',
      'asked_name',
      'asked_reason',
      'asked_role',
      'told_at',
      'financed_at',
      'person_day_limit',
      'person_note',
      'verified_person',
      'max_living_orders',
    ],
    under: ['apps/server/'],
    reason: 'tables and their columns',
  },
  {
    names: ['member'],
    under: [
      'apps/server/src/engine/journal/upgrade.wire.test.ts',
      'apps/server/src/testing/old-database.ts',
      'apps/server/src/platform/database/',
    ],
    reason: 'a field of the recorded database of the first version, and a table',
  },
  {
    names: ['charge'],
    under: ['apps/web/src/app/'],
    reason: 'the name of a route of the specification, which its texts repeat',
  },
  {
    names: ['0007-people.ts', '0017-asked-once.ts'],
    reason: 'migrations, whose names are stored in every database',
  },
  { under: ['replays/'], reason: 'recorded nights of the market, from the evening to the morning' },
  { names: ['// night', '// nights'], under: ['packages/core/src/calendar/'], reason: 'the time of day' },
]

/** Everyday English in a sentence, but vague as a name: only names are checked for these. */
const ONLY_IN_NAMES = new Set(
  'tell tells told asked asking touched person people member members charge planted twin'.split(' '),
)

/** Texts that are not rewritten: decisions, releases, published texts, and reports that a command writes. */
const UNCHECKED = [
  'docs/decisions/',
  'docs/figures.md',
  'docs/replays.md',
  'CHANGELOG.md',
  'packages/core/scenarios/stories/',
  'tools/architecture/replaced-words.ts',
]

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)

const replacedIn = (text: string): string[] =>
  [...new Set(wordsOf(text))].filter((word) => Object.hasOwn(REPLACED, word))

const isExcepted = (path: string, name: string): boolean =>
  EXCEPTIONS.some(
    ({ names, under }) =>
      (!names || names.includes(name)) && (!under || under.some((folder) => path.startsWith(folder))),
  )

const hasPrefix = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path.startsWith(folder))

const message = (where: string, word: string): string =>
  `${where} says "${word}": write "${REPLACED[word]}", or add an exception with its reason to tools/architecture/replaced-words.ts.`

/** Each name once, at its first use. */
function namesIn(file: TreeFile): Finding[] {
  const seen = new Set<string>()
  const findings: Finding[] = []
  walk(file, (node) => {
    if (!ts.isIdentifier(node) || seen.has(node.text)) return
    seen.add(node.text)
    if (isExcepted(file.path, node.text)) return
    for (const word of replacedIn(node.text))
      findings.push({
        path: file.path,
        line: lineOf(file, node),
        message: message(`the name ${node.text}`, word),
      })
  })
  return findings
}

const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:'"`\w\\/[])\/\/[^\n]*/g

function commentsIn(file: TreeFile): Finding[] {
  return [...file.text.matchAll(COMMENT)].flatMap(({ 0: text, index }) => {
    const line = file.text.slice(0, index).split('\n').length
    const prose = text.replace(/`[^`]*`/g, '')
    return replacedIn(prose)
      .filter((word) => !ONLY_IN_NAMES.has(word) && !isExcepted(file.path, `// ${word}`))
      .map((word) => ({ path: file.path, line, message: message('a comment', word) }))
  })
}

const proseIn = (file: TreeFile): Finding[] =>
  file.text.split('\n').flatMap((text, index) =>
    replacedIn(text.replace(/`[^`]*`|\([^)]*\)/g, ''))
      .filter((word) => !ONLY_IN_NAMES.has(word))
      .map((word) => ({
        path: file.path,
        line: index + 1,
        message: message('the text', word),
      })),
  )

const fileNameIn = ({ path }: TreeFile): Finding[] =>
  isExcepted(path, posix.basename(path))
    ? []
    : replacedIn(posix.basename(path)).map((word) => ({ path, message: message('the file name', word) }))

function findingsIn(tree: Tree): { checked: number; findings: Finding[] } {
  const isChecked = (path: string): boolean => !hasPrefix(path, UNCHECKED)
  const code = codeFiles(tree, isChecked)
  const texts = [...tree.values()].filter(({ path }) => path.endsWith('.md') && isChecked(path))
  return {
    checked: code.length + texts.length,
    findings: [
      ...code.flatMap((file) => [...namesIn(file), ...commentsIn(file), ...fileNameIn(file)]),
      ...texts.flatMap((file) => [...proseIn(file), ...fileNameIn(file)]),
    ],
  }
}

export const words: Rule = {
  name: 'words',
  description: 'Names and comments use the standard terms of the field.',
  check: findingsIn,
}
