import { setImmediate as nextTurn } from 'node:timers/promises'
import { money, type Event, type Money, type Posting, type State } from '@fairlot/core'
import { sql } from 'kysely'
import type { Queries } from '../../database/open.ts'
import type { Change } from './backlog.ts'
import type { Engine } from '../engine.ts'

/** How much there is of an account's past. */
export type AccountTotals = {
  /** Closed and cancelled, with the closed parts. */
  readonly endedOrders: number
  /** Of all of them. */
  readonly profit: Money
  /** Rows of the ledger that touch its user, by kind. */
  readonly transfers: ReadonlyMap<string, number>
}

export type TotalsBook = {
  /** Of an account as the tables hold it, or a moment later. */
  of(accountId: number): Promise<AccountTotals>
}

/** Accounts whose totals are kept; past this the one that was quiet longest is counted anew when it comes back. */
const KEPT_MAX = 10_000
/** An account that changes faster than it can be counted is counted for each caller. */
const TRIES = 3

type Kept = { totals: AccountTotals; isCounted: boolean; hasChanged: boolean }
const NOTHING: AccountTotals = { endedOrders: 0, profit: money(0n), transfers: new Map() }

/**
 * Counts an account's rows once, and from then on what is committed: no page of a long history reads all of it. It listens
 * for as long as the engine runs.
 */
export function createAccountTotals(
  engine: Pick<Engine, 'state' | 'caughtUp' | 'onCommitted'>,
  queries: Queries,
): TotalsBook {
  const kept = new Map<number, Kept>()
  const counting = new Map<number, Promise<AccountTotals>>()
  let state: State = engine.state()

  engine.onCommitted((change) => {
    if (kept.size === 0) return
    for (const [accountId, added] of additionsOf(change)) {
      const entry = kept.get(accountId)
      if (!entry) continue
      entry.hasChanged = true
      if (entry.isCounted) entry.totals = sumOf(entry.totals, added)
    }
  })

  const count = async (accountId: number): Promise<AccountTotals> => {
    let totals = NOTHING
    for (let tries = 0; tries < TRIES; tries += 1) {
      const [entry, before] = [{ totals, isCounted: false, hasChanged: false }, state]
      kept.set(accountId, entry)
      // What was committed before it listened is in the tables after this.
      await engine.caughtUp()
      totals = await readTotals(queries, accountId)
      // A commit is told in the turn after it at the latest.
      await nextTurn()
      if (!entry.hasChanged && engine.state() === before && kept.get(accountId) === entry) {
        Object.assign(entry, { totals, isCounted: true })
        return totals
      }
    }
    kept.delete(accountId)
    return totals
  }

  return {
    of: async (accountId) => {
      // A recovery may have found in the database what was never told.
      if (state !== engine.state()) kept.clear()
      state = engine.state()
      const entry = kept.get(accountId)
      if (entry?.isCounted) {
        kept.delete(accountId)
        kept.set(accountId, entry)
        return entry.totals
      }
      const underway = counting.get(accountId) ?? count(accountId).finally(() => counting.delete(accountId))
      counting.set(accountId, underway)
      const totals = await underway
      const oldest = kept.keys().next()
      if (kept.size > KEPT_MAX && !oldest.done) kept.delete(oldest.value)
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
  for (const posting of postings) {
    const userId = userOf(posting)
    if (userId !== null) yield [userId, { ...NOTHING, transfers: new Map([[posting.kind, 1]]) }]
  }
}

/** What the row of an order that has just ended shows; null for what ends none. */
function profitOfEnd(event: Event): Money | null {
  if (event.type === 'orderCancelled') return NOTHING.profit
  return event.type === 'positionClosed' || event.type === 'positionReduced' ? event.profit : null
}

/** The user a ledger row touches; null for the house alone. */
function userOf({ debit, credit }: Posting): number | null {
  const own = [debit, credit].find((id) => !id.startsWith('house:'))
  return own === undefined ? null : Number(own.slice(own.indexOf(':') + 1))
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
