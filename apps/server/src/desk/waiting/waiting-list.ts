import {
  type CaseFact,
  type CaseNotice,
  type CaseStep,
  DESK_PAGE_ROWS,
  type DeskPermission,
  type DeskChange,
  type RelatedCase,
  userNumber,
  type WaitingCase,
  type WaitingDetail,
} from '@fairlot/contract/desk'
import { decimalText, fromUnits, type Money, MONEY_DECIMALS } from '@fairlot/core'
import { isRefusal, type Refusal, refuse } from '../../platform/refusal.ts'
import type { DeskOperator } from '../operators/operators.ts'
import type { Assignee, CaseAssignments } from './case-assignments.ts'

/** A reason to decide a case before others. */
export type RiskSign = { readonly weight: 1 | 2 | 3; readonly why: string }

/** A case that waits for an operator. */
export type WaitingItem = {
  /** Its number within its source. */
  readonly id: number
  /** Its filter, and the name of that filter. */
  readonly kind: string
  readonly kindName: string
  readonly title: string
  /** What has to be decided, in one line. */
  readonly summary: string
  readonly accountId: number | null
  readonly amount: Money | null
  /** Epoch ms of real time. */
  readonly since: number
  /** The operator who requested it; null for a user's request. */
  readonly requestedBy: Pick<DeskOperator, 'id' | 'name'> | null
  /** Whether another operator than the requester has to decide. */
  readonly needsSecond: boolean
  readonly decidePermission: DeskPermission
  readonly signs: readonly RiskSign[]
}

/** What an operator needs to decide a case. */
export type CaseContents = {
  readonly reason: string
  readonly facts: readonly CaseFact[]
  readonly changes: readonly DeskChange[]
  /** Possible duplicates. */
  readonly related?: readonly RelatedCase[]
  /** The approval that decides it, if any. */
  readonly approvalId?: number
  readonly steps: readonly CaseStep[]
  readonly texts: readonly CaseNotice[]
  /** Why users are not notified; left out if there are texts. */
  readonly noTexts?: string
  readonly decision: WaitingDetail['decision']
}

/** A source of cases. Registering one adds its cases to the waiting list. */
export type WaitingSource = {
  /** Letters only. Case keys consist of it and the number, such as `adjustment:12`. */
  readonly name: string
  /** The oldest open cases, at most `limit`. */
  list(limit: number): Promise<readonly WaitingItem[] | Refusal>
  count(): Promise<number | Refusal>
  /** Null for a case that is not open. */
  find(id: number): Promise<WaitingItem | null | Refusal>
  contents(item: WaitingItem): Promise<CaseContents | Refusal>
}

export type WaitingFilter = {
  readonly kind: string | null
  readonly held: 'mine' | 'nobody' | null
  readonly search: string | null
  readonly page: number
  /** In place of a page: the `next` of an earlier page. */
  readonly before: string | null
}

export type FoundCase = {
  readonly source: WaitingSource
  readonly item: WaitingItem
  readonly caseKey: string
}

type Page = {
  readonly cases: readonly WaitingCase[]
  readonly total: number
  readonly all: number
  readonly kinds: readonly { readonly kind: string; readonly name: string; readonly count: number }[]
  readonly next: string | null
}

/** The open cases of all sources. */
export type WaitingList = {
  register(source: WaitingSource): void
  list(operator: DeskOperator, filter: WaitingFilter, limit?: number): Promise<Page | Refusal>
  find(caseKey: string): Promise<FoundCase | Refusal>
  /** A case as it is listed. */
  listedCase(found: FoundCase): Promise<WaitingCase>
}

/** The most cases ranked for each source: newer ones follow once these are done. */
const RANKED_MAX = 2_000
const HOUR_MS = 3_600_000
const LONG_MS = 4 * HOUR_MS
const VERY_LONG_MS = 24 * HOUR_MS
/** From this total weight on a case has a high risk. */
const HIGH_FROM = 3

/** Where a case stands in the list: the highest weight first, then the oldest. */
type Place = { readonly weight: number; readonly since: number; readonly caseKey: string }

type Listed = { readonly shown: WaitingCase; readonly kindName: string; readonly place: Place }

type Options = {
  readonly assignments: Pick<CaseAssignments, 'all' | 'find'>
  readonly now: () => number
}

export function createWaitingList({ assignments, now }: Options): WaitingList {
  const sources = new Map<string, WaitingSource>()

  const collect = async (): Promise<Listed[] | Refusal> => {
    const found: FoundCase[] = []
    for (const source of sources.values()) {
      const items = await source.list(RANKED_MAX)
      if (isRefusal(items)) return items
      for (const item of items) found.push({ source, item, caseKey: keyOf(source, item) })
    }
    const held = await assignments.all()
    return found
      .map(({ item, caseKey }) => {
        const signs = signsOf(item, now())
        return {
          shown: shownCase(item, caseKey, signs, held.get(caseKey) ?? null),
          kindName: item.kindName,
          place: { weight: weightOf(signs), since: item.since, caseKey },
        }
      })
      .toSorted((one, other) => byPlace(one.place, other.place))
  }

  const countAll = async (): Promise<number | Refusal> => {
    let count = 0
    for (const source of sources.values()) {
      const more = await source.count()
      if (isRefusal(more)) return more
      count += more
    }
    return count
  }

  return {
    register: (source) => void sources.set(source.name, source),
    list: async (operator, filter, limit = DESK_PAGE_ROWS) => {
      const all = await countAll()
      if (isRefusal(all)) return all
      const listed = await collect()
      if (isRefusal(listed)) return listed
      const matching = listed.filter(({ shown }) => matches(shown, operator, filter))
      const after = filter.before === null ? null : readPlace(filter.before)
      if (filter.before !== null && !after) return refuse('notUnderstood', { field: 'before' })
      const rest = after ? matching.filter(({ place }) => byPlace(after, place) < 0) : matching
      const first = after ? 0 : (filter.page - 1) * limit
      const cases = rest.slice(first, first + limit)
      const last = first + limit < rest.length ? cases.at(-1) : undefined
      return {
        cases: cases.map(({ shown }) => shown),
        total: matching.length,
        all,
        kinds: kindsOf(listed),
        next: last ? placeText(last.place) : null,
      }
    },
    find: async (caseKey) => {
      const [name = '', number = ''] = caseKey.split(':')
      const source = sources.get(name)
      if (!source || !/^\d{1,15}$/.test(number)) return refuse('caseNotFound')
      const item = await source.find(Number(number))
      if (isRefusal(item)) return item
      return item ? { source, item, caseKey } : refuse('caseEnded')
    },
    listedCase: async ({ item, caseKey }) =>
      shownCase(item, caseKey, signsOf(item, now()), await assignments.find(caseKey)),
  }
}

const byPlace = (one: Place, other: Place): number =>
  other.weight - one.weight || one.since - other.since || one.caseKey.localeCompare(other.caseKey)

const placeText = ({ weight, since, caseKey }: Place): string => `${weight} ${since} ${caseKey}`

function readPlace(text: string): Place | null {
  const [, weight, since, caseKey] = /^(\d{1,3}) (\d{1,15}) ([a-zA-Z]+:\d{1,15})$/.exec(text) ?? []
  return caseKey === undefined ? null : { weight: Number(weight), since: Number(since), caseKey }
}

const keyOf = ({ name }: WaitingSource, { id }: WaitingItem): string => `${name}:${id}`

const weightOf = (signs: readonly RiskSign[]): number =>
  signs.reduce((sum: number, { weight }) => sum + weight, 0)

/** The risk signs of a case, which include a long wait. */
function signsOf({ signs, since }: WaitingItem, at: number): readonly RiskSign[] {
  const waits = at - since
  if (waits > VERY_LONG_MS) return [...signs, { weight: 2, why: 'waiting for more than a day' }]
  return waits > LONG_MS ? [...signs, { weight: 1, why: 'waiting for more than four hours' }] : signs
}

function shownCase(
  item: WaitingItem,
  caseKey: string,
  signs: readonly RiskSign[],
  heldBy: Assignee | null,
): WaitingCase {
  const { kind, title, summary, accountId, amount, since, needsSecond } = item
  const weight = weightOf(signs)
  return {
    caseKey,
    kind,
    title,
    what: summary,
    accountId,
    amount,
    since,
    needsSecond,
    heldBy,
    askedBy: item.requestedBy?.name ?? null,
    risk: weight >= HIGH_FROM ? 'high' : weight > 0 ? 'raised' : 'usual',
    riskReasons: signs.toSorted((one, other) => other.weight - one.weight).map(({ why }) => why),
  }
}

function matches(each: WaitingCase, { id }: DeskOperator, { kind, held, search }: WaitingFilter): boolean {
  if (kind !== null && each.kind !== kind) return false
  if (held === 'mine' && each.heldBy?.id !== id) return false
  if (held === 'nobody' && each.heldBy !== null) return false
  return search === null || textOf(each).includes(search.trim().toLowerCase())
}

const textOf = ({ caseKey, title, what, accountId, amount, askedBy, heldBy }: WaitingCase): string =>
  [
    caseKey,
    title,
    what,
    accountId === null ? '' : `${accountId} ${userNumber(accountId)}`,
    askedBy ?? '',
    heldBy?.name ?? '',
    amount === null ? '' : decimalText(fromUnits(amount, MONEY_DECIMALS)),
  ]
    .join('\n')
    .toLowerCase()

/** The filters that match at least one case. */
function kindsOf(listed: readonly Listed[]): Page['kinds'] {
  const byKind = Map.groupBy(listed, ({ shown }) => shown.kind)
  return [...byKind].map(([kind, [first, ...more]]) => ({
    kind,
    name: first?.kindName ?? kind,
    count: more.length + 1,
  }))
}
