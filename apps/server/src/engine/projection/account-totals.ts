import { setImmediate as nextTurn } from 'node:timers/promises'
import { money, type Event, type Money, type State } from '@fairlot/core'
import { sql } from 'kysely'
import type { Queries } from '../../platform/database/open.ts'
import type { Change } from './committed-batch.ts'
import type { Engine } from '../engine.ts'
import { userOf } from './row-mapping.ts'

/** Totals of an account's history. */
export type AccountTotals = {
  /** Closed and cancelled orders, closed parts included. */
  readonly endedOrders: number
  /** Of all these orders. */
  readonly profit: Money
  /** Number of ledger rows of its user, by kind. */
  readonly transfers: ReadonlyMap<string, number>
}

export type TotalsBook = {
  /** The totals of an account as of the tables, or a moment later. */
  of(accountId: number): Promise<AccountTotals>
}

/** Accounts whose totals are cached; beyond this the least recently used is counted again. */
const MAX_CACHED = 10_000
/** Attempts to count an account that keeps changing; after these the caller gets an uncached count. */
const MAX_TRIES = 3

type Cached = { totals: AccountTotals; isCounted: boolean; hasChanged: boolean }
const NOTHING: AccountTotals = { endedOrders: 0, profit: money(0n), transfers: new Map() }

/**
 * Counts an account's rows once and then follows the commits, so that no page of a long history has to read all of it.
 * Listens for as long as the engine runs.
 */
export function createAccountTotals(
  engine: Pick<Engine, 'state' | 'caughtUp' | 'onCommitted'>,
  queries: Queries,
): TotalsBook {
  const cache = new Map<number, Cached>()
  const counting = new Map<number, Promise<AccountTotals>>()
  let state: State = engine.state()

  engine.onCommitted((change) => {
    if (cache.size === 0) return
    for (const [accountId, added] of additionsOf(change)) {
      const entry = cache.get(accountId)
      if (!entry) continue
      entry.hasChanged = true
      if (entry.isCounted) entry.totals = sumOf(entry.totals, added)
    }
  })

  const count = async (accountId: number): Promise<AccountTotals> => {
    let totals = NOTHING
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const [entry, before] = [{ totals, isCounted: false, hasChanged: false }, state]
      cache.set(accountId, entry)
      // After this the tables hold everything committed before the entry was added.
      await engine.caughtUp()
      totals = await readTotals(queries, accountId)
      // A commit is published in the next turn of the event loop at the latest.
      await nextTurn()
      if (!entry.hasChanged && engine.state() === before && cache.get(accountId) === entry) {
        Object.assign(entry, { totals, isCounted: true })
        return totals
      }
    }
    cache.delete(accountId)
    return totals
  }

  return {
    of: async (accountId) => {
      // A recovery may have found commits that were never published.
      if (state !== engine.state()) cache.clear()
      state = engine.state()
      const entry = cache.get(accountId)
      if (entry?.isCounted) {
        cache.delete(accountId)
        cache.set(accountId, entry)
        return entry.totals
      }
      const inProgress = counting.get(accountId) ?? count(accountId).finally(() => counting.delete(accountId))
      counting.set(accountId, inProgress)
      const totals = await inProgress
      const oldest = cache.keys().next()
      if (cache.size > MAX_CACHED && !oldest.done) cache.delete(oldest.value)
      return totals
    },
  }
}

const sumOf = (one: AccountTotals, other: AccountTotals): AccountTotals => ({
  endedOrders: one.endedOrders + other.endedOrders,
  profit: money(one.profit + other.profit),
  transfers: countsOf([...one.transfers, ...other.transfers]),
})

/** Counts of the same name are added. */
function countsOf(counts: readonly (readonly [name: string, count: number])[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count)
  return sums
}

function* additionsOf({ entry, postings }: Change): Generator<readonly [number, AccountTotals]> {
  for (const event of entry.events) {
    const profit = profitOfEnd(event)
    if (profit !== null && 'accountId' in event)
      yield [event.accountId, { ...NOTHING, endedOrders: 1, profit }]
  }
  for (const { debit, credit, kind } of postings) {
    const userId = userOf(debit) ?? userOf(credit)
    if (userId !== null) yield [userId, { ...NOTHING, transfers: new Map([[kind, 1]]) }]
  }
}

/** The profit in the row of an order that an event has ended; null for events that end none. */
function profitOfEnd(event: Event): Money | null {
  if (event.type === 'orderCancelled') return NOTHING.profit
  return event.type === 'positionClosed' || event.type === 'positionReduced' ? event.profit : null
}

async function readTotals(queries: Queries, accountId: number): Promise<AccountTotals> {
  const ended = await queries
    .selectFrom('trade_order')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .select(sql<bigint>`cast(coalesce(sum(profit), 0) as bigint)`.as('profit'))
    .where('account_id', '=', BigInt(accountId))
    .where('status', 'in', ['closed', 'cancelled'])
    .executeTakeFirstOrThrow()
  const moved = await queries
    .selectFrom('transfer')
    .select(['kind', ({ fn }) => fn.countAll<bigint>().as('count')])
    .where('account_id', '=', BigInt(accountId))
    .groupBy('kind')
    .execute()
  return {
    endedOrders: Number(ended.count),
    profit: money(BigInt(ended.profit)),
    transfers: countsOf(moved.map(({ kind, count }) => [kind, Number(count)])),
  }
}
