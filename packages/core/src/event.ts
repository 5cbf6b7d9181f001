import type { LedgerKind, Transfer } from './ledger.ts'
import type { Lots, Money, Price } from './number.ts'
import type { EndReason, OrderKind, Side } from './order.ts'
import type { Receipt } from './receipt.ts'

/** What an order is from its first moment on, whatever becomes of it. */
export type OrderTerms = {
  readonly orderId: number
  readonly accountId: number
  readonly instrumentId: number
  readonly side: Side
  readonly kind: OrderKind
  readonly lots: Lots
  readonly leverage: number
  readonly targetPrice: Price | null
  readonly acceptedPrice: Price
  readonly takeProfit: Price | null
  readonly stopLoss: Price | null
  readonly expiresAt: number | null
  readonly createdAt: number
  /** Held by a position, reserved by a pending order. */
  readonly margin: Money
  readonly fee: Money
}

export type AccountOpened = {
  readonly type: 'accountOpened'
  readonly accountId: number
  readonly ledger: LedgerKind
  readonly transfers: readonly Transfer[]
}

export type OrderPlaced = OrderTerms & { readonly type: 'orderPlaced'; readonly receipt: Receipt }

export type PositionOpened = OrderTerms & {
  readonly type: 'positionOpened'
  readonly openPrice: Price
  readonly receipt: Receipt
  readonly transfers: readonly Transfer[]
}

export type OrderCancelled = {
  readonly type: 'orderCancelled'
  readonly orderId: number
  readonly accountId: number
  readonly reason: EndReason
  readonly receipt: Receipt
}

export type PositionClosed = {
  readonly type: 'positionClosed'
  readonly orderId: number
  readonly accountId: number
  readonly reason: EndReason
  /** Null when the position ended without a fill (demo reset). */
  readonly closePrice: Price | null
  readonly profit: Money
  readonly receipt: Receipt
  readonly transfers: readonly Transfer[]
}

export type StopsSet = {
  readonly type: 'stopsSet'
  readonly orderId: number
  readonly accountId: number
  readonly takeProfit: Price | null
  readonly stopLoss: Price | null
}

/** Money that moved on its own: a demo reset, later a deposit or a withdrawal. */
export type MoneyMoved = {
  readonly type: 'moneyMoved'
  readonly accountId: number
  readonly transfers: readonly Transfer[]
}

/** What has happened. Events hold facts; margin sums, equity and level are derived from them, never written. */
export type Event =
  AccountOpened | OrderPlaced | PositionOpened | OrderCancelled | PositionClosed | StopsSet | MoneyMoved

/** A caller's own name for one change, so that sending it twice has one effect. */
export type Request = {
  readonly accountId: number
  /** The call it was sent with. */
  readonly call: string
  readonly id: string
  /** Digest of the payload: the same id with another payload is refused. */
  readonly digest: string
}

/** One accepted command as the journal keeps it. */
export type Entry = {
  /** Epoch ms on the market clock; never falls from one entry to the next. */
  readonly at: number
  readonly request: Request | null
  readonly events: readonly Event[]
}
