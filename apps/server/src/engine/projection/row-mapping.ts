/** The only mappings between rows of the tables and the core's objects. */
import {
  lots,
  money,
  price,
  type CopiedOrder,
  type EndReason,
  type LedgerAccountId,
  type Money,
  type Order,
  type OrderStatus,
  type OrderTerms,
  type Price,
  type ReceiptTick,
} from '@fairlot/core'
import type { Written } from '../../platform/database/bulk.ts'
import { ValueCells, type Cells } from '../../platform/database/scan.ts'
import type { OrderTable, PriceMarkTable } from '../../platform/database/schema.ts'

/** The row of an order that was just accepted. */
export const orderRow = (terms: OrderTerms, copied: CopiedOrder | null = null): Written<OrderTable> => ({
  id: terms.orderId,
  parent_id: null,
  account_id: terms.accountId,
  instrument_id: terms.instrumentId,
  side: terms.side,
  kind: terms.kind,
  status: 'pending',
  end_reason: 'none',
  lots: terms.lots,
  leverage: terms.leverage,
  target_price: terms.targetPrice,
  accepted_price: terms.acceptedPrice,
  open_price: null,
  close_price: null,
  take_profit: terms.takeProfit,
  stop_loss: terms.stopLoss,
  trailing_distance: null,
  margin: String(terms.margin),
  fee: String(terms.fee),
  profit: 0,
  financed_at: 0,
  expires_at: terms.expiresAt,
  created_at: terms.createdAt,
  opened_at: null,
  ended_at: null,
  copied_order_id: copied?.orderId ?? null,
  copied_provider_lots: copied?.providerLots ?? null,
  copied_lots: copied?.lots ?? null,
})

/** The fields of an order that are only in the table, not in the engine. */
export type OrderEnd = {
  /** The position that this closed part belongs to. */
  readonly parentId: number | null
  readonly endReason: EndReason
  readonly closePrice: Price | null
  readonly profit: Money
  readonly endedAt: number | null
}

/** An order in its row, active or closed. */
export type OrderRecord = Readonly<Omit<Order, 'status'>> & { readonly status: OrderStatus } & OrderEnd

/** The columns that `orderFrom` reads, in this order. */
export const ORDER_COLUMNS = [
  'id',
  'account_id',
  'instrument_id',
  'side',
  'kind',
  'lots',
  'leverage',
  'status',
  'target_price',
  'accepted_price',
  'open_price',
  'take_profit',
  'stop_loss',
  'margin',
  'fee',
  'expires_at',
  'created_at',
  'opened_at',
  'trailing_distance',
  'financed_at',
  'copied_order_id',
  'copied_provider_lots',
  'copied_lots',
] as const

const END_COLUMNS = ['parent_id', 'end_reason', 'close_price', 'profit', 'ended_at'] as const

const SIDES: readonly Order['side'][] = ['buy', 'sell']
const KINDS: readonly Order['kind'][] = ['market', 'limit', 'stop']
const ACTIVE_STATUSES: readonly Order['status'][] = ['pending', 'holding']
const STATUSES: readonly OrderStatus[] = [...ACTIVE_STATUSES, 'closed', 'cancelled']

const priceOrNull = (value: number | null): Price | null => (value === null ? null : price(value))

const orderWith = <Status extends OrderStatus>(row: Cells, statuses: readonly Status[]) => ({
  id: row.number(),
  accountId: row.number(),
  instrumentId: row.number(),
  side: row.oneOf(SIDES),
  kind: row.oneOf(KINDS),
  lots: lots(row.number()),
  leverage: row.number(),
  status: row.oneOf(statuses),
  targetPrice: priceOrNull(row.numberOrNull()),
  acceptedPrice: price(row.number()),
  openPrice: priceOrNull(row.numberOrNull()),
  takeProfit: priceOrNull(row.numberOrNull()),
  stopLoss: priceOrNull(row.numberOrNull()),
  margin: money(row.bigint()),
  fee: money(row.bigint()),
  expiresAt: row.numberOrNull(),
  createdAt: row.number(),
  openedAt: row.numberOrNull(),
  // The tick that filled it has passed.
  openedSeq: 0,
  trailingDistance: priceOrNull(row.numberOrNull()),
  financedAt: row.number(),
  copied: copiedFrom(row.numberOrNull(), row.numberOrNull(), row.numberOrNull()),
})

const copiedFrom = (
  orderId: number | null,
  providerLots: number | null,
  size: number | null,
): CopiedOrder | null =>
  orderId === null || providerLots === null || size === null
    ? null
    : { orderId, providerLots: lots(providerLots), lots: lots(size) }

/** An active order from the cells of `ORDER_COLUMNS`. Throws a RangeError for impossible values. */
export const orderFrom = (row: Cells): Order => orderWith(row, ACTIVE_STATUSES)

const endFrom = (row: Cells): OrderEnd => ({
  parentId: row.numberOrNull(),
  endReason: row.text() as EndReason,
  closePrice: priceOrNull(row.numberOrNull()),
  profit: money(row.bigint()),
  endedAt: row.numberOrNull(),
})

/** A whole row, active or closed. */
export function recordFrom(row: OrderTable): OrderRecord {
  const cells = new ValueCells()
  cells.begin([...ORDER_COLUMNS, ...END_COLUMNS].map((column) => row[column]))
  return { ...orderWith(cells, STATUSES), ...endFrom(cells) }
}

/** A published price from its row. */
export const tickFrom = (row: Omit<PriceMarkTable, 'moment'>): ReceiptTick => ({
  instrumentId: Number(row.instrument_id),
  bid: price(Number(row.bid)),
  ask: price(Number(row.ask)),
  seq: Number(row.seq),
  time: Number(row.time),
  receivedAt: Number(row.received_at),
  source: row.source,
  ...(row.mark_up > 0n && { markUp: Number(row.mark_up) }),
})

/** The user a ledger account belongs to; null for the broker. */
export function userOf(id: LedgerAccountId): number | null {
  return id.startsWith('house:') ? null : Number(id.slice(id.indexOf(':') + 1))
}
