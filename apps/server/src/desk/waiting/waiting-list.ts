import { DESK_PAGE_ROWS, type WaitingCase } from '@fairlot/contract/desk'
import { decimalText, fromUnits, MONEY_DECIMALS } from '@fairlot/core'
import { isRefusal, refuse, type Refusal } from '../../http/refusal.ts'
import type { DeskOperator } from '../operator.ts'
import type { CaseHolders, Holder } from './case-holders.ts'
import type { RiskSign, WaitingItem, WaitingSource } from './waiting-source.ts'

export type WaitingFilter = {
  readonly kind: string | null
  readonly held: 'mine' | 'nobody' | null
  readonly search: string | null
  readonly page: number
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
}

/** Everything that waits for a person. */
export type WaitingList = {
  register(source: WaitingSource): void
  list(operator: DeskOperator, filter: WaitingFilter, limit?: number): Promise<Page | Refusal>
  find(caseKey: string): Promise<FoundCase | Refusal>
  shown(found: FoundCase): Promise<WaitingCase>
}

/** Of each source so many are weighed against each other; the rest are younger, and come when these are done. */
const WEIGHED_MOST = 2_000
const HOUR_MS = 3_600_000
const LONG_MS = 4 * HOUR_MS
const VERY_LONG_MS = 24 * HOUR_MS
/** Weights together that make a case stand out. */
const HIGH_FROM = 3

type Listed = { readonly shown: WaitingCase; readonly kindName: string }

type Options = { readonly holders: CaseHolders; readonly now: () => number }

export function createWaitingList({ holders, now }: Options): WaitingList {
  const sources = new Map<string, WaitingSource>()

  const collect = async (): Promise<Listed[] | Refusal> => {
    const found: FoundCase[] = []
    for (const source of sources.values()) {
      const items = await source.list(WEIGHED_MOST)
      if (isRefusal(items)) return items
      for (const item of items) found.push({ source, item, caseKey: keyOf(source, item) })
    }
    const held = await holders.all()
    return found
      .map(({ item, caseKey }) => ({ item, caseKey, signs: signsOf(item, now()) }))
      .toSorted(
        (one, other) =>
          weightOf(other.signs) - weightOf(one.signs) ||
          one.item.since - other.item.since ||
          one.caseKey.localeCompare(other.caseKey),
      )
      .map(({ item, caseKey, signs }) => ({
        shown: shownCase(item, caseKey, signs, held.get(caseKey) ?? null),
        kindName: item.kindName,
      }))
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
      const fitting = listed.map(({ shown }) => shown).filter((each) => fits(each, operator, filter))
      const first = (filter.page - 1) * limit
      return {
        ...{ cases: fitting.slice(first, first + limit), total: fitting.length, all },
        kinds: kindsOf(listed),
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
    shown: async ({ item, caseKey }) =>
      shownCase(item, caseKey, signsOf(item, now()), await holders.of(caseKey)),
  }
}

const keyOf = ({ name }: WaitingSource, { id }: WaitingItem): string => `${name}:${id}`

const weightOf = (signs: readonly RiskSign[]): number =>
  signs.reduce((sum: number, { weight }) => sum + weight, 0)

/** A long wait is a risk whatever it is about. */
function signsOf({ signs, since }: WaitingItem, at: number): readonly RiskSign[] {
  const waits = at - since
  if (waits > VERY_LONG_MS) return [...signs, { weight: 2, why: 'waits for more than a day' }]
  return waits > LONG_MS ? [...signs, { weight: 1, why: 'waits for more than four hours' }] : signs
}

function shownCase(
  item: WaitingItem,
  caseKey: string,
  signs: readonly RiskSign[],
  heldBy: Holder | null,
): WaitingCase {
  const { kind, title, what, accountId, amount, since, needsSecond } = item
  const weight = weightOf(signs)
  return {
    ...{ caseKey, kind, title, what, accountId, amount, since, needsSecond, heldBy },
    askedBy: item.asked?.name ?? null,
    risk: weight >= HIGH_FROM ? 'high' : weight > 0 ? 'raised' : 'usual',
    riskReasons: signs.toSorted((one, other) => other.weight - one.weight).map(({ why }) => why),
  }
}

function fits(each: WaitingCase, { id }: DeskOperator, { kind, held, search }: WaitingFilter): boolean {
  if (kind !== null && each.kind !== kind) return false
  if (held === 'mine' && each.heldBy?.id !== id) return false
  if (held === 'nobody' && each.heldBy !== null) return false
  return search === null || textOf(each).includes(search.trim().toLowerCase())
}

const textOf = ({ caseKey, title, what, accountId, amount, askedBy, heldBy }: WaitingCase): string =>
  [
    ...[caseKey, title, what, accountId ?? '', askedBy ?? '', heldBy?.name ?? ''],
    amount === null ? '' : decimalText(fromUnits(amount, MONEY_DECIMALS)),
  ]
    .join('\n')
    .toLowerCase()

/** The filters that there is something for. */
function kindsOf(listed: readonly Listed[]): Page['kinds'] {
  const byKind = Map.groupBy(listed, ({ shown }) => shown.kind)
  return [...byKind].map(([kind, [first, ...more]]) => ({
    ...{ kind, name: first?.kindName ?? kind, count: more.length + 1 },
  }))
}
