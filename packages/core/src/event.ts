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

/** A part of a position was closed: it becomes a finished order of its own, the rest keeps its id. */
export type PositionReduced = Omit<PositionClosed, 'type' | 'closePrice'> & {
  readonly type: 'positionReduced'
  /** The id of the closed part. */
  readonly partId: number
  /** What was closed, and its share of the margin. */
  readonly lots: Lots
  readonly margin: Money
  readonly closePrice: Price
  /** The position as it was before; the part shares all of it but size and margin. */
  readonly position: PositionTerms
}

export type PositionTerms = OrderTerms & { readonly openPrice: Price; readonly openedAt: number }

/** Overnight financing of one position for one night, or three at once. */
export type SwapBooked = {
  readonly type: 'swapBooked'
  readonly orderId: number
  readonly accountId: number
  /** The 17:00 New York that it is booked for, epoch ms. */
  readonly rollover: number
  readonly nights: number
  /** Above zero is paid to the user. */
  readonly amount: Money
  readonly receipt: Receipt
  readonly transfers: readonly Transfer[]
}

/** Every position open at this 17:00 New York has had its financing. */
export type RolledOver = { readonly type: 'rolledOver'; readonly rollover: number }

export type InstrumentHalted = {
  readonly type: 'instrumentHalted'
  readonly instrumentId: number
  /** Shown to everyone; null ends the halt. */
  readonly reason: string | null
}

export type TradingModeSet = { readonly type: 'tradingModeSet'; readonly mode: TradingMode }

/** `cancelOnly`: nothing opens, closes or triggers; pending orders may be cancelled and stops moved. */
export type TradingMode = 'normal' | 'cancelOnly'

export type StopsSet = {
  readonly type: 'stopsSet'
  readonly orderId: number
  readonly accountId: number
  readonly takeProfit: Price | null
  readonly stopLoss: Price | null
  readonly trailingDistance: Price | null
}

/** Money that moved on its own: a demo reset, later a deposit or a withdrawal. */
export type MoneyMoved = {
  readonly type: 'moneyMoved'
  readonly accountId: number
  readonly transfers: readonly Transfer[]
}

/** What has happened. Events hold facts; margin sums, equity and level are derived from them, never written. */
export type Event =
  | AccountOpened
  | OrderPlaced
  | PositionOpened
  | OrderCancelled
  | PositionClosed
  | PositionReduced
  | StopsSet
  | SwapBooked
  | RolledOver
  | MoneyMoved
  | InstrumentHalted
  | TradingModeSet

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
