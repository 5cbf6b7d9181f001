import { PAGE_ROWS } from '@fairlot/contract'
import { money, type Money, type Receipt } from '@fairlot/core'
import { sql } from 'kysely'
import type { Queries } from '../database/open.ts'
import { fromRow, type OrderRecord } from './order-row.ts'
import type { KeptReceipt } from './order-view.ts'

const FINISHED = ['closed', 'cancelled']

/** What the tables know of a user's orders. Living orders are asked of the engine instead. */
export type OrderRepository = {
  history(accountId: number, page: number): Promise<{ orders: OrderRecord[]; total: number; profit: Money }>
  /** A finished order of this account; null when it lives, is somebody else's, or never was. */
  finished(accountId: number, orderId: number): Promise<OrderRecord | null>
  /** Receipts by order, oldest first. */
  receipts(orderIds: readonly number[]): Promise<Map<number, KeptReceipt[]>>
}

export const createOrderRepository = (queries: Queries): OrderRepository => ({
  history: async (accountId, page) => {
    const owned = queries
      .selectFrom('trade_order')
      .where('account_id', '=', BigInt(accountId))
      .where('status', 'in', FINISHED)
    const sums = await owned
      .select(({ fn }) => [
        fn.countAll<bigint>().as('total'),
        sql<bigint>`cast(coalesce(sum(profit), 0) as bigint)`.as('profit'),
      ])
      .executeTakeFirstOrThrow()
    const rows = await owned
      .selectAll()
      .orderBy('id', 'desc')
      .limit(PAGE_ROWS)
      .offset((page - 1) * PAGE_ROWS)
      .execute()
    return { orders: rows.map(fromRow), total: Number(sums.total), profit: money(BigInt(sums.profit)) }
  },

  finished: async (accountId, orderId) => {
    const row = await queries
      .selectFrom('trade_order')
      .selectAll()
      .where('id', '=', BigInt(orderId))
      .where('account_id', '=', BigInt(accountId))
      .where('status', 'in', FINISHED)
      .executeTakeFirst()
    return row ? fromRow(row) : null
  },

  receipts: async (orderIds) => {
    if (orderIds.length === 0) return new Map()
    const rows = await queries
      .selectFrom('receipt')
      .select(['order_id', 'at', 'body'])
      .where('order_id', 'in', orderIds.map(BigInt))
      .orderBy('id')
      .execute()
    const kept = rows.map((row) => ({
      orderId: Number(row.order_id),
      at: Number(row.at),
      receipt: JSON.parse(row.body) as Receipt,
    }))
    return Map.groupBy(kept, ({ orderId }) => orderId)
  },
})
