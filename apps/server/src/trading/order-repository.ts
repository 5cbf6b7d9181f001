import type { OrderView, SealedReceipt } from '@fairlot/contract'
import type { Queries } from '../database/open.ts'
import { operatorsCloses } from '../engine/projection/operator-acts.ts'
import { readReceipt } from '../engine/projection/receipt-chain.ts'
import { recordFrom, type OrderRecord } from '../engine/projection/row-mapping.ts'
import type { KeptReceipt } from './order-view.ts'

const FINISHED = ['closed', 'cancelled']

/** A page of a list, from 1, and how many rows it has. */
export type Rows = { readonly page: number; readonly limit: number }

/** What the tables know of a user's orders. Living orders are asked of the engine instead. */
export type OrderRepository = {
  /** A page of the finished ones, the latest ended first; pages count from 1. */
  history(accountId: number, rows: Rows): Promise<OrderRecord[]>
  /** Those of the orders that are this account's and finished. */
  finished(accountId: number, orderIds: readonly number[]): Promise<OrderRecord[]>
  /** How many of an account's positions a `closeAll` left open; `at` is its moment, epoch ms. */
  remainingCount(accountId: number, at: number): Promise<number>
  /** Receipts by order, oldest first. */
  receipts(orderIds: readonly number[]): Promise<Map<number, KeptReceipt[]>>
  /** Which operators closed orders, and why; only orders that one did close are in it. */
  operators(orders: readonly OrderRecord[]): Promise<Map<number, NonNullable<OrderView['endedBy']>>>
  /** Receipts of one of an account's orders, as they were hashed, oldest first. */
  sealed(accountId: number, orderId: number): Promise<SealedReceipt[]>
}

export const createOrderRepository = (queries: Queries): OrderRepository => ({
  history: (accountId, rows) => loadHistory(queries, accountId, rows),

  finished: async (accountId, orderIds) => {
    if (orderIds.length === 0) return []
    const rows = await queries
      .selectFrom('trade_order')
      .selectAll()
      .where('id', 'in', orderIds.map(BigInt))
      .where('account_id', '=', BigInt(accountId))
      .where('status', 'in', FINISHED)
      .orderBy('id', 'desc')
      .execute()
    return rows.map(recordFrom)
  },

  remainingCount: async (accountId, at) => {
    const { count } = await queries
      .selectFrom('trade_order')
      .select(({ fn }) => fn.countAll<bigint>().as('count'))
      .where('account_id', '=', BigInt(accountId))
      // A closed part is a row of its own, but never was a position.
      .where('parent_id', 'is', null)
      // What was opened before it in its own millisecond has a fresh price, so it was closed; the rest came after.
      .where('opened_at', '<', BigInt(at))
      .where((is) => is.or([is('ended_at', 'is', null), is('ended_at', '>', BigInt(at))]))
      .executeTakeFirstOrThrow()
    return Number(count)
  },

  receipts: async (orderIds) => {
    if (orderIds.length === 0) return new Map()
    const rows = await queries
      .selectFrom('receipt')
      .select(['order_id', 'at', 'body', 'hash', 'previous_hash'])
      .where('order_id', 'in', orderIds.map(BigInt))
      .orderBy('id')
      .execute()
    const kept = rows.map((row) => ({
      orderId: Number(row.order_id),
      at: Number(row.at),
      event: readReceipt(row.body).event,
      hash: row.hash,
      previousHash: row.previous_hash,
    }))
    return Map.groupBy(kept, ({ orderId }) => orderId)
  },

  operators: async (orders) => {
    const closed = orders.filter(({ endReason }) => endReason === 'operator')
    const byAccount = Map.groupBy(closed, ({ accountId }) => accountId)
    const found = await Promise.all(
      [...byAccount].map(([accountId, theirs]) =>
        operatorsCloses(
          queries,
          accountId,
          theirs.flatMap(({ endedAt }) => endedAt ?? []),
        ),
      ),
    )
    return new Map(found.flatMap((acts) => [...acts].map(([id, { role, reason }]) => [id, { role, reason }])))
  },

  sealed: (accountId, orderId) => loadSealed(queries, accountId, orderId),
})

async function loadHistory(
  queries: Queries,
  accountId: number,
  { page, limit }: Rows,
): Promise<OrderRecord[]> {
  const rows = await queries
    .selectFrom('trade_order')
    .selectAll()
    .where('account_id', '=', BigInt(accountId))
    // As the index has it.
    .where('ended_at', 'is not', null)
    .orderBy('ended_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return rows.map(recordFrom)
}

async function loadSealed(queries: Queries, accountId: number, orderId: number): Promise<SealedReceipt[]> {
  const rows = await queries
    .selectFrom('receipt')
    .select(['number', 'previous_hash', 'body', 'hash'])
    .where('order_id', '=', BigInt(orderId))
    .where('account_id', '=', BigInt(accountId))
    .orderBy('number')
    .execute()
  return rows.map((row) => ({
    number: Number(row.number),
    orderId,
    previousHash: row.previous_hash,
    body: row.body,
    hash: row.hash,
  }))
}
