/**
 * Accounts that share a browser, network or payout account and held opposite positions: negative-balance protection may
 * pay the loss of the one while the other keeps the profit.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { LINKS, type LinkedPair } from '@fairlot/contract/desk'
import { fromUnits, lots, LOTS_DECIMALS, money, NO_MONEY, type LedgerKind, type Money } from '@fairlot/core'
import { sql } from 'kysely'
import type { Queries } from '../platform/database/open.ts'
import type { OrderTable } from '../platform/database/schema.ts'
import type { Engine } from '../engine/engine.ts'
import { isUnavailable, type Unavailable } from '../engine/queue.ts'
import { walkAccounts } from './book-snapshots.ts'

type Link = (typeof LINKS)[number]

/** `isWhole` is false when a limit has left some accounts out. */
export type LinkedAccounts = { readonly pairs: LinkedPair[]; readonly isWhole: boolean }

const DAY_MS = 86_400_000
/** Positions, log-ins and protection of this many days count. */
export const LINKED_DAYS = 30

/** The number of accounts with positions, and of the latest transfers of protection, that are checked. */
const CANDIDATES = 2_000
/** Accounts or keys in one statement, and the pause after it, ms. */
const AT_ONCE = 500
const REST_MS = 5
/** Rows that one statement may return. */
const ROWS = 5_000
/**
 * A network or browser that more users share belongs to a company, a school or a provider, so it links nobody. Only accounts
 * that have had money count: others are free to open, and would hide a pair.
 */
const SHARED_BY = 20
const PAIRS = 2_000
const SHOWN = 100

export async function findLinkedAccounts(
  { queries, engine }: { readonly queries: Queries; readonly engine: Pick<Engine, 'read' | 'state'> },
  { ledger, at }: { readonly ledger: LedgerKind; readonly at: number },
): Promise<LinkedAccounts | Unavailable> {
  const since = at - LINKED_DAYS * DAY_MS
  const protection = await protectionSince(queries, since)
  const candidates = new Set(protection.keys())
  let isWhole = true
  const failed = await walkAccounts(engine, {
    visit: (account) => {
      if (account.ledger !== ledger || account.exposures.size === 0) return
      if (candidates.size < CANDIDATES) candidates.add(account.id)
      else isWhole = false
    },
  })
  if (isUnavailable(failed)) return failed
  const isTrader = (id: number) => {
    const account = engine.state().accounts.get(id)
    return account?.ledger === ledger && account.available.entryCount > 0
  }
  const onCut = () => void (isWhole = false)
  const linked = await linksOf(queries, [...candidates].filter(isTrader), { since, isTrader, onCut })
  const pairs = [...linked.values()]
  const orders = await ordersOf(queries, new Set(pairs.flatMap(({ ids }) => ids)), { since, onCut })
  const found = pairs.flatMap((pair) =>
    oppositesOf(pair, { orders, protection, codes: engine.state().instruments }),
  )
  return { pairs: found.toSorted(byWeight).slice(0, SHOWN), isWhole: isWhole && linked.size < PAIRS }
}

/** The most protection first, then open pairs, then the newest. */
function byWeight(a: LinkedPair, b: LinkedPair): number {
  const paid = (pair: LinkedPair) => pair.first.protection + pair.second.protection
  if (paid(a) !== paid(b)) return paid(b) > paid(a) ? 1 : -1
  return Number(b.isOpen) - Number(a.isOpen) || b.since - a.since
}

/** The protection paid into each account, by the latest transfers. */
async function protectionSince(queries: Queries, since: number): Promise<ReadonlyMap<number, Money>> {
  const rows = await queries
    .selectFrom('transfer')
    .select(['account_id', 'amount'])
    // A literal, because the partial index is not used for a bound parameter.
    .where('kind', '=', sql.lit('protection'))
    .where('at', '>=', BigInt(since))
    .orderBy('id', 'desc')
    .limit(CANDIDATES)
    .execute()
  const sums = new Map<number, Money>()
  for (const { account_id: id, amount } of rows)
    if (id !== null) sums.set(Number(id), money((sums.get(Number(id)) ?? 0n) + amount))
  return sums
}

type Pair = { readonly ids: readonly [number, number]; readonly links: Set<Link> }
type Shared = { readonly user_id: bigint; readonly key: string }

/** Finds users by a shared key: `of` returns the keys of users, `same` the users of keys. */
type Finder = {
  readonly of: (ids: readonly bigint[]) => Promise<readonly Shared[]>
  readonly same: (keys: readonly string[]) => Promise<readonly Shared[]>
}

function findersOf(queries: Queries, since: number): Readonly<Record<Link, Finder>> {
  const logins = queries.selectFrom('known_login').select(['user_id', 'fingerprint as key']).limit(ROWS)
  const visits = queries
    .selectFrom('user_activity')
    .select(['user_id', 'address as key'])
    .distinct()
    .where('at', '>=', BigInt(since))
    .where('address', '<>', '')
    .limit(ROWS)
  const methods = queries
    .selectFrom('receiving_method')
    .select(['user_id', 'account_key as key'])
    .where('account_key', '<>', '')
    .limit(ROWS)
  return {
    device: {
      of: (ids) => logins.where('user_id', 'in', ids).execute(),
      same: (keys) => logins.where('fingerprint', 'in', keys).execute(),
    },
    network: {
      of: (ids) => visits.where('user_id', 'in', ids).execute(),
      same: (keys) => visits.where('address', 'in', keys).execute(),
    },
    payout: {
      of: (ids) => methods.where('user_id', 'in', ids).execute(),
      same: (keys) => methods.where('account_key', 'in', keys).execute(),
    },
  }
}

type Search = {
  readonly since: number
  /** Called when a limit has left rows out. */
  readonly onCut: () => void
}

/** Pairs of a candidate and another trader who share something, by both ids. */
async function linksOf(
  queries: Queries,
  candidates: readonly number[],
  { since, isTrader, onCut }: Search & { readonly isTrader: (id: number) => boolean },
): Promise<ReadonlyMap<string, Pair>> {
  const pairs = new Map<string, Pair>()
  const isCandidate = new Set(candidates)
  const finders = findersOf(queries, since)
  for (const link of LINKS) {
    const own = await inPortions(candidates.map(BigInt), finders[link].of, onCut)
    const keys = [...new Set(own.map(({ key }) => key))]
    const all = await inPortions(keys, finders[link].same, onCut)
    for (const group of Map.groupBy(all, ({ key }) => key).values()) {
      const users = [...new Set(group.map(({ user_id: id }) => Number(id)))].filter(isTrader)
      if (link === 'payout' || users.length <= SHARED_BY) addPairs(pairs, { users, link, isCandidate })
    }
  }
  return pairs
}

type Group = {
  readonly users: readonly number[]
  readonly link: Link
  readonly isCandidate: ReadonlySet<number>
}

function addPairs(pairs: Map<string, Pair>, { users, link, isCandidate }: Group): void {
  for (const [index, one] of users.entries()) {
    for (const other of users.slice(index + 1)) {
      if (!isCandidate.has(one) && !isCandidate.has(other)) continue
      const ids = [Math.min(one, other), Math.max(one, other)] as const
      const key = ids.join(' ')
      const known = pairs.get(key)
      if (known) known.links.add(link)
      else if (pairs.size < PAIRS) pairs.set(key, { ids, links: new Set([link]) })
    }
  }
}

/** Loads rows a portion at a time, with pauses in between. */
async function inPortions<Key, Row>(
  keys: readonly Key[],
  load: (some: readonly Key[]) => Promise<readonly Row[]>,
  onCut: () => void,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let start = 0; start < keys.length; start += AT_ONCE) {
    if (start > 0) await pause(REST_MS)
    const loaded = await load(keys.slice(start, start + AT_ONCE))
    if (loaded.length === ROWS) onCut()
    rows.push(...loaded)
  }
  return rows
}

type Held = Pick<
  OrderTable,
  'account_id' | 'instrument_id' | 'side' | 'lots' | 'profit' | 'opened_at' | 'ended_at'
>

/** Positions that were open at any time since then, by account. */
async function ordersOf(
  queries: Queries,
  ids: ReadonlySet<number>,
  { since, onCut }: Search,
): Promise<ReadonlyMap<number, readonly Held[]>> {
  const held = queries
    .selectFrom('trade_order')
    .select(['account_id', 'instrument_id', 'side', 'lots', 'profit', 'opened_at', 'ended_at'])
    .where('opened_at', 'is not', null)
    .where('status', 'in', ['holding', 'closed'])
    .where((row) => row.or([row('ended_at', 'is', null), row('ended_at', '>=', BigInt(since))]))
    .orderBy('id', 'desc')
    .limit(ROWS)
  const rows = await inPortions(
    [...ids].map(BigInt),
    (some) => held.where('account_id', 'in', some).execute(),
    onCut,
  )
  return Map.groupBy(rows, (row) => Number(row.account_id))
}

type Known = {
  readonly orders: ReadonlyMap<number, readonly Held[]>
  readonly protection: ReadonlyMap<number, Money>
  readonly codes: ReadonlyMap<number, { readonly code: string }>
}

/** The instruments in which both accounts of a pair held opposite positions at the same time. */
function oppositesOf({ ids, links }: Pair, { orders, protection, codes }: Known): LinkedPair[] {
  const [first, second] = ids
  const byInstrument = (id: number) => Map.groupBy(orders.get(id) ?? [], (row) => Number(row.instrument_id))
  const others = byInstrument(second)
  return [...byInstrument(first)].flatMap(([instrumentId, ones]) => {
    const overlap = overlapOf(ones, others.get(instrumentId) ?? [])
    if (!overlap) return []
    const sideOf = (accountId: number, held: ReadonlySet<Held>): LinkedPair['first'] => {
      const rows = [...held]
      return {
        accountId,
        side: rows[0]?.side === 'sell' ? 'sell' : 'buy',
        lots: fromUnits(lots(rows.reduce((sum, row) => sum + Number(row.lots), 0)), LOTS_DECIMALS),
        result: money(rows.reduce((sum, row) => sum + row.profit, 0n)),
        protection: protection.get(accountId) ?? NO_MONEY,
      }
    }
    return [
      {
        instrumentId,
        code: codes.get(instrumentId)?.code ?? '',
        links: LINKS.filter((link) => links.has(link)),
        isOpen: overlap.isOpen,
        since: overlap.since,
        first: sideOf(first, overlap.first),
        second: sideOf(second, overlap.second),
      },
    ]
  })
}

type Overlap = {
  readonly first: Set<Held>
  readonly second: Set<Held>
  since: number
  isOpen: boolean
}

/** Positions of two accounts that were open at the same time on opposite sides; those with the side of the first match only. */
function overlapOf(ones: readonly Held[], others: readonly Held[]): Overlap | null {
  const overlap: Overlap = { first: new Set(), second: new Set(), since: Infinity, isOpen: false }
  let side: string | null = null
  for (const one of ones) {
    for (const other of others) {
      const since = sharedSince(one, other)
      if (one.side === other.side || since === null || (side !== null && side !== one.side)) continue
      side = one.side
      overlap.first.add(one)
      overlap.second.add(other)
      overlap.since = Math.min(overlap.since, since)
      overlap.isOpen ||= one.ended_at === null && other.ended_at === null
    }
  }
  return side === null ? null : overlap
}

/** When both were open for the first time; null when one had closed before. */
function sharedSince(one: Held, other: Held): number | null {
  const since = Math.max(Number(one.opened_at), Number(other.opened_at))
  const isOver = ({ ended_at: end }: Held) => end !== null && Number(end) < since
  return isOver(one) || isOver(other) ? null : since
}
