import type { OrderTable } from '../database/schema.ts'
import type { EndReason, Order, OrderKind, OrderStatus, Side } from '@fairlot/core'
import { lots, money, price, type Lots, type Money, type Price } from '@fairlot/core'

/** An order as a row tells it, living or finished. */
export type OrderRecord = {
  readonly id: number
  /** The position that this closed part was cut from. */
  readonly parentId: number | null
  readonly accountId: number
  readonly instrumentId: number
  readonly side: Side
  readonly kind: OrderKind
  readonly status: OrderStatus
  readonly endReason: EndReason
  readonly lots: Lots
  readonly leverage: number
  readonly acceptedPrice: Price
  readonly openPrice: Price | null
  readonly closePrice: Price | null
  readonly takeProfit: Price | null
  readonly stopLoss: Price | null
  readonly trailingDistance: Price | null
  readonly margin: Money
  readonly fee: Money
  readonly profit: Money
  readonly createdAt: number
  readonly openedAt: number | null
  readonly endedAt: number | null
  readonly expiresAt: number | null
}

const priceOrNull = (value: bigint | null): Price | null => (value === null ? null : price(Number(value)))
const numberOrNull = (value: bigint | null): number | null => (value === null ? null : Number(value))

export const fromRow = (row: OrderTable): OrderRecord => ({
  id: Number(row.id),
  parentId: numberOrNull(row.parent_id),
  accountId: Number(row.account_id),
  instrumentId: Number(row.instrument_id),
  side: row.side as Side,
  kind: row.kind as OrderKind,
  status: row.status as OrderStatus,
  endReason: row.end_reason as EndReason,
  lots: lots(Number(row.lots)),
  leverage: Number(row.leverage),
  acceptedPrice: price(Number(row.accepted_price)),
  openPrice: priceOrNull(row.open_price),
  closePrice: priceOrNull(row.close_price),
  takeProfit: priceOrNull(row.take_profit),
  stopLoss: priceOrNull(row.stop_loss),
  trailingDistance: priceOrNull(row.trailing_distance),
  margin: money(row.margin),
  fee: money(row.fee),
  profit: money(row.profit),
  createdAt: Number(row.created_at),
  openedAt: numberOrNull(row.opened_at),
  endedAt: numberOrNull(row.ended_at),
  expiresAt: numberOrNull(row.expires_at),
})

/** A living order from the engine's memory; its profit is filled in where the prices are known. */
export const fromLiving = (order: Order, profit: Money): OrderRecord => ({
  ...order,
  parentId: null,
  endReason: 'none',
  closePrice: null,
  profit,
  endedAt: null,
})
