/** An account's movements, read backwards from now in slices, so that the engine runs in between. */
import { setImmediate as yieldToEngine } from 'node:timers/promises'
import type { BalanceHistory } from '@fairlot/contract'
import { availableOf, frozenOf, money, type Money, NO_MONEY } from '@fairlot/core'
import type { Queries } from '../platform/database/open.ts'
import type { TransferTable } from '../platform/database/schema.ts'

/** Available and frozen money, or the change of each. */
export type Holdings = { readonly available: Money; readonly frozen: Money }

/** A row of the ledger and how it changed the account. */
export type Movement = { readonly row: TransferTable; readonly change: Holdings }

/** Rows read at once. */
const SLICE_ROWS = 500
/**
 * Swaps, the negative balance protection that follows them, and the fees of a month have the date of their rollover,
 * however late they are booked.
 */
const DATED_BACK: ReadonlySet<string> = new Set(['swap', 'protection', 'performanceFee'])

/**
 * Passes every movement dated at `from` (epoch ms) or later to `take`, last booked first, and returns what the account
 * held before them: its current money less all of them. Null as soon as `take` returns false.
 */
export async function movementsSince(
  queries: Queries,
  accountId: number,
  { from, take }: { readonly from: number; take(movement: Movement): boolean },
): Promise<Holdings | null> {
  const now = await presentOf(queries, accountId)
  let { available, frozen } = now.held
  let below = now.lastId + 1n
  for (;;) {
    const rows = await sliceBelow(queries, accountId, below)
    for (const row of rows) {
      if (row.at < BigInt(from)) {
        if (DATED_BACK.has(row.kind)) continue
        return { available, frozen }
      }
      const change = changeOf(row, accountId)
      if (!take({ row, change })) return null
      available = money(available - change.available)
      frozen = money(frozen - change.frozen)
    }
    if (rows.length < SLICE_ROWS) return { available, frozen }
    below = rows.at(-1)?.id ?? 0n
    await yieldToEngine()
  }
}

const sliceBelow = (queries: Queries, accountId: number, below: bigint): Promise<TransferTable[]> =>
  queries
    .selectFrom('transfer')
    .selectAll()
    .where('account_id', '=', BigInt(accountId))
    .where('id', '<', below)
    .orderBy('id', 'desc')
    .limit(SLICE_ROWS)
    .execute()

function changeOf({ debit, credit, amount }: TransferTable, accountId: number): Holdings {
  const to = (owner: string) => money((credit === owner ? amount : 0n) - (debit === owner ? amount : 0n))
  return { available: to(availableOf(accountId)), frozen: to(frozenOf(accountId)) }
}

/** The account's money and its last row, read by one statement so that they belong together. */
async function presentOf(queries: Queries, accountId: number) {
  const { available, frozen, lastId } = await queries
    .selectNoFrom((select) => {
      const held = (id: string) => select.selectFrom('ledger_account').select('balance').where('id', '=', id)
      return [
        held(availableOf(accountId)).as('available'),
        held(frozenOf(accountId)).as('frozen'),
        select
          .selectFrom('transfer')
          .select(({ fn }) => fn.max<bigint>('id').as('id'))
          .where('account_id', '=', BigInt(accountId))
          .as('lastId'),
      ]
    })
    .executeTakeFirstOrThrow()
  const held = { available: money(available ?? NO_MONEY), frozen: money(frozen ?? NO_MONEY) }
  return { held, lastId: lastId ?? 0n }
}

/** A phone cannot show more points. */
const STEPS = 200

/** Epoch ms. */
export type Span = { readonly from: number; readonly to: number }

/**
 * The available balance at the start of a span and after each of its equal steps, oldest first. Every movement counts
 * from its own date, also a swap that was booked late. A younger account begins with its opening.
 */
export async function balanceHistory(
  queries: Queries,
  accountId: number,
  { from: requestedFrom, to }: Span,
): Promise<BalanceHistory['points']> {
  const account = await queries
    .selectFrom('account')
    .select('opened_at')
    .where('id', '=', BigInt(accountId))
    .executeTakeFirst()
  // A young account begins right after its opening, so that its first balance is part of the first point.
  const from = Math.min(Math.max(requestedFrom, Number(account?.opened_at ?? 0n) + 1), to)
  const stepMs = Math.max(Math.ceil((to - from) / STEPS), 1)
  const changes = new Map<number, bigint>()
  const before = await movementsSince(queries, accountId, {
    from,
    take: ({ row, change }) => {
      const step = Math.floor((Number(row.at) - from) / stepMs)
      changes.set(step, (changes.get(step) ?? 0n) + change.available)
      return true
    },
  })
  if (before === null) return []
  let balance: Money = before.available
  const points = [{ at: from, balance }]
  const steps = Math.ceil((to - from) / stepMs)
  for (let step = 0; step < steps; step += 1) {
    balance = money(balance + (changes.get(step) ?? 0n))
    points.push({ at: Math.min(from + (step + 1) * stepMs, to), balance })
  }
  return points
}
