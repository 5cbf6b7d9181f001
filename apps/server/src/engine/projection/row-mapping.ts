/** Rows of the tables as the core's nouns: each mapping once, for whoever writes, reads or compares them. */
import {
  lots,
  money,
  price,
  type EndReason,
  type LedgerAccountId,
  type Money,
  type Order,
  type OrderStatus,
  type OrderTerms,
  type Price,
  type ReceiptTick,
} from '@fairlot/core'
import type { Written } from '../../database/bulk.ts'
import { ValueCells, type Cells } from '../../database/scan.ts'
import type { OrderTable, PriceMarkTable } from '../../database/schema.ts'

/** The row of an order that was just accepted. */
export const orderRow = (terms: OrderTerms): Written<OrderTable> => ({
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
})

/** What the table knows of an order beyond what lives in the engine. */
export type OrderEnd = {
  /** The position that this closed part was cut from. */
  readonly parentId: number | null
  readonly endReason: EndReason
  readonly closePrice: Price | null
  readonly profit: Money
  readonly endedAt: number | null
}

/** An order as a row tells it, living or ended. */
export type OrderRecord = Readonly<Omit<Order, 'status'>> & { readonly status: OrderStatus } & OrderEnd

/** The columns that `orderFrom` takes, in this order. */
export const ORDER_COLUMNS = [
  ...(['id', 'account_id', 'instrument_id', 'side', 'kind', 'lots', 'leverage', 'status'] as const),
  ...(['target_price', 'accepted_price', 'open_price', 'take_profit', 'stop_loss', 'margin', 'fee'] as const),
  ...(['expires_at', 'created_at', 'opened_at', 'trailing_distance', 'financed_at'] as const),
] as const

const END_COLUMNS = ['parent_id', 'end_reason', 'close_price', 'profit', 'ended_at'] as const

const SIDES: readonly Order['side'][] = ['buy', 'sell']
const KINDS: readonly Order['kind'][] = ['market', 'limit', 'stop']
const LIVING: readonly Order['status'][] = ['pending', 'holding']
const STATUSES: readonly OrderStatus[] = [...LIVING, 'closed', 'cancelled']

const priceOrNull = (value: number | null): Price | null => (value === null ? null : price(value))

const orderWith = <Status extends OrderStatus>(row: Cells, statuses: readonly Status[]) => ({
  id: row.number(),
  accountId: row.number(),
  instrumentId: row.number(),
  side: row.word(SIDES),
  kind: row.word(KINDS),
  lots: lots(row.number()),
  leverage: row.number(),
  status: row.word(statuses),
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
  // The tick it was filled at is over.
  openedSeq: 0,
  trailingDistance: priceOrNull(row.numberOrNull()),
  financedAt: row.number(),
})

/** A living order out of the cells of `ORDER_COLUMNS`. Throws a RangeError where one of them cannot be. */
export const orderFrom = (row: Cells): Order => orderWith(row, LIVING)

const endFrom = (row: Cells): OrderEnd => ({
  parentId: row.numberOrNull(),
  endReason: row.text() as EndReason,
  closePrice: priceOrNull(row.numberOrNull()),
  profit: money(row.bigint()),
  endedAt: row.numberOrNull(),
})

/** A whole row, living or ended. */
export function recordFrom(row: OrderTable): OrderRecord {
  const cells = new ValueCells()
  cells.begin([...ORDER_COLUMNS, ...END_COLUMNS].map((column) => row[column]))
  return { ...orderWith(cells, STATUSES), ...endFrom(cells) }
}

/** A published price out of a row that keeps one. */
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

/** The user a ledger account belongs to; null for the house. */
export function userOf(id: LedgerAccountId): number | null {
  return id.startsWith('house:') ? null : Number(id.slice(id.indexOf(':') + 1))
}
