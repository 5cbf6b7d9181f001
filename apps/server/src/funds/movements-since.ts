/** An account's past, read backwards from now in slices: the engine has its turn between them. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { availableOf, frozenOf, money, NO_MONEY, type Money } from '@fairlot/core'
import type { Queries } from '../database/open.ts'
import type { TransferTable } from '../database/schema.ts'

/** Money on hand and money frozen; also a change of both. */
export type Holdings = { readonly available: Money; readonly frozen: Money }

/** A row of the ledger and what it did to the account. */
export type Movement = { readonly row: TransferTable; readonly change: Holdings }

/** Rows read at once. */
const SLICE_ROWS = 500
/** A night is dated with its 17:00 New York however late it was booked, and so is what brings a balance back to zero after it. */
const DATED_BACK: ReadonlySet<string> = new Set(['swap', 'protection'])

/**
 * Hands out every movement dated at `from` (epoch ms) or later, the last booked first, and answers what the account held before them:
 * as the tables have it now, less all of them. Null once `take` answers false.
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
    await nextTurn()
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

/** What a row did to its account. */
function changeOf({ debit, credit, amount }: TransferTable, accountId: number): Holdings {
  const to = (owner: string) => money((credit === owner ? amount : 0n) - (debit === owner ? amount : 0n))
  return { available: to(availableOf(accountId)), frozen: to(frozenOf(accountId)) }
}

/** What the account holds and the last row that led to it: one statement, so that both are of one moment. */
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
