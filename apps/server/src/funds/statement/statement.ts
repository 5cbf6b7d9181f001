/** The statement of an account: what was held, what moved, what is held, out of the ledger's own rows. */
import { money, NO_MONEY, type Money, type TransferKind } from '@fairlot/core'
import type { Queries } from '../../database/open.ts'
import { recordFrom, type OrderRecord } from '../../engine/projection/row-mapping.ts'
import { movementsSince, type Holdings, type Movement } from '../movements-since.ts'
import { memosOf, receiptsOf, type ReceiptNumbers } from './statement-notes.ts'

/** Moments, epoch ms; `to` is the first that is not in it. */
export type StatementPeriod = { readonly from: number; readonly to: number }

export type StatementMovement = {
  /** The number of its row in the ledger. */
  readonly id: number
  readonly at: number
  readonly kind: TransferKind
  readonly orderId: number | null
  readonly caseId: number | null
  /** The number of the receipt that proves it, among the account's. */
  readonly receipt: number | null
  /** What the owner wrote to a withdrawal. */
  readonly memo: string
  readonly change: Holdings
  readonly after: Holdings
}

/** A position, or the part of one, that ended in the period. */
export type ClosedPosition = { readonly order: OrderRecord; readonly receipts: readonly number[] }

export type Statement = StatementPeriod & {
  readonly accountId: number
  readonly opening: Holdings
  readonly closing: Holdings
  /** Oldest first. */
  readonly movements: readonly StatementMovement[]
  /** What each kind has moved; opening and all of them are the closing. */
  readonly sums: ReadonlyMap<TransferKind, Holdings>
  readonly positions: readonly ClosedPosition[]
}

/**
 * The statement of a period that may not have ended yet: what is dated in it and in the tables by now. Null when it has more than
 * `rowsMax` movements or positions. The tables have to be up to date.
 */
export async function statementOf(
  queries: Queries,
  accountId: number,
  { from, to, rowsMax }: StatementPeriod & { readonly rowsMax: number },
): Promise<Statement | null> {
  const found: Movement[] = []
  const opening = await movementsSince(queries, accountId, {
    from,
    take: (movement) => {
      if (movement.row.at < BigInt(to)) found.push(movement)
      return found.length <= rowsMax
    },
  })
  const orders = opening && (await closedIn(queries, accountId, { from, to, rowsMax }))
  if (!opening || !orders) return null
  const orderIds = new Set([
    ...orders.map(({ id }) => id),
    ...found.flatMap(({ row }) => idOf(row.order_id) ?? []),
  ])
  const receipts = await receiptsOf(queries, accountId, [...orderIds])
  const memos = await memosOf(
    queries,
    accountId,
    found.flatMap(({ row }) => row.case_id ?? []),
  )
  const movements = withBalances(opening, found, { receipts, memos })
  return {
    ...{ accountId, from, to, opening, movements },
    closing: movements.at(-1)?.after ?? opening,
    sums: sumsOf(movements),
    positions: orders.map((order) => ({ order, receipts: receipts.of(order.id, order.endedAt) })),
  }
}

const idOf = (id: bigint | null): number | null => (id === null ? null : Number(id))

type Notes = { readonly receipts: ReceiptNumbers; readonly memos: ReadonlyMap<number, string> }

/** In the order of their dates, with what each left. */
function withBalances(
  opening: Holdings,
  found: readonly Movement[],
  { receipts, memos }: Notes,
): StatementMovement[] {
  const inOrder = found.toSorted(({ row: a }, { row: b }) => Number(a.at - b.at) || Number(a.id - b.id))
  let after = opening
  return inOrder.map(({ row, change }) => {
    after = addedTo(after, change)
    const [orderId, caseId] = [idOf(row.order_id), idOf(row.case_id)]
    const [at, kind] = [Number(row.at), row.kind as TransferKind]
    return {
      ...{ id: Number(row.id), at, kind, orderId, caseId, change, after },
      receipt: orderId === null ? null : receipts.at(orderId, at),
      memo: kind === 'withdrawalHeld' ? (memos.get(caseId ?? 0) ?? '') : '',
    }
  })
}

export const addedTo = (one: Holdings, other: Holdings): Holdings => ({
  available: money(one.available + other.available),
  frozen: money(one.frozen + other.frozen),
})

const NOTHING: Holdings = { available: NO_MONEY as Money, frozen: NO_MONEY as Money }

function sumsOf(movements: readonly StatementMovement[]): Map<TransferKind, Holdings> {
  const sums = new Map<TransferKind, Holdings>()
  for (const { kind, change } of movements) sums.set(kind, addedTo(sums.get(kind) ?? NOTHING, change))
  return sums
}

/** Null when there are more than may be. */
async function closedIn(
  queries: Queries,
  accountId: number,
  { from, to, rowsMax }: StatementPeriod & { readonly rowsMax: number },
): Promise<OrderRecord[] | null> {
  const rows = await queries
    .selectFrom('trade_order')
    .selectAll()
    .where('account_id', '=', BigInt(accountId))
    // As the index has it.
    .where('ended_at', 'is not', null)
    .where('ended_at', '>=', BigInt(from))
    .where('ended_at', '<', BigInt(to))
    .where('status', '=', 'closed')
    .orderBy('ended_at')
    .orderBy('id')
    .limit(rowsMax + 1)
    .execute()
  return rows.length > rowsMax ? null : rows.map(recordFrom)
}
