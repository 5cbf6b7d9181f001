import type { CopiedOrder } from './copying.ts'
import type { Lots, Money, Price } from './number.ts'

export type Side = 'buy' | 'sell'
export type OrderStatus = 'pending' | 'holding' | 'closed' | 'cancelled'

/** The kind of an order, relative to the price at the moment it was placed. */
export type OrderKind = 'market' | 'limit' | 'stop'

/** Why an order ended; `none` while it is active. */
export type EndReason =
  | 'none'
  | 'user'
  | 'stopOut'
  | 'takeProfit'
  | 'stopLoss'
  | 'operator'
  | 'expired'
  | 'cancelledByUser'
  | 'notEnoughAtTrigger'
  // The price jumped over target and stop together: the order was not opened.
  | 'stopPassed'
  | 'demoReset'
  | 'withdrawnByOperator'
  | 'providerClosed'
  | 'copyEnded'

/**
 * An active order: pending, or an open position. It keeps its id. Closed orders leave the engine's memory; the tables
 * keep them.
 */
export type Order = {
  readonly id: number
  readonly accountId: number
  readonly instrumentId: number
  readonly side: Side
  readonly kind: OrderKind
  /** Reduced when a part is closed. */
  lots: Lots
  readonly leverage: number
  status: 'pending' | 'holding'
  /** Requested price of a pending order, kept after the fill; null for a market order. */
  readonly targetPrice: Price | null
  /** The mid when the order was accepted, or the requested price of a pending order. */
  readonly acceptedPrice: Price
  /** The fill price, spread included; null while pending. */
  openPrice: Price | null
  takeProfit: Price | null
  stopLoss: Price | null
  /** Trailing distance from the best closing price, in ticks; null without trailing. */
  trailingDistance: Price | null
  /** Margin used since the fill, or reserved at the target price while pending. */
  margin: Money
  /** Fee charged at the fill, or reserved while pending. */
  fee: Money
  /** Expiry of a pending order, epoch ms. */
  readonly expiresAt: number | null
  readonly createdAt: number
  openedAt: number | null
  /** Number of the tick that filled it, which does not also trigger its stops. 0 once it no longer matters. */
  openedSeq: number
  /** The last rollover booked for it, epoch ms; 0 before the first. */
  financedAt: number
  /** The provider's order that it copies; null for all others. */
  readonly copied: CopiedOrder | null
}

/** 1 for a buy, -1 for a sell. */
export const direction = (side: Side): 1 | -1 => (side === 'buy' ? 1 : -1)

export const opposite = (side: Side): Side => (side === 'buy' ? 'sell' : 'buy')

/** A kind that an order can name: without one it follows from the price. */
export type PendingKind = Exclude<OrderKind, 'market'>

/** A buy below the ask or a sell above the bid waits for a better price (limit), otherwise for a worse one (stop). */
export function pendingKind(side: Side, targetPrice: Price, opening: Price): PendingKind {
  const isBetter = side === 'buy' ? targetPrice < opening : targetPrice > opening
  return isBetter ? 'limit' : 'stop'
}

/** Whether an opening price has reached the target of a kind; an equal price has. */
export function isTargetReached(kind: PendingKind, side: Side, targetPrice: Price, opening: Price): boolean {
  const waitsBelow = (side === 'buy') === (kind === 'limit')
  return waitsBelow ? opening <= targetPrice : opening >= targetPrice
}

/**
 * Whether a position filled by these prices would be closed at once or could not win any more: its stop loss is passed
 * by the closing price, or its take profit by the price of the fill.
 */
export function isStopPassed(
  { side, takeProfit, stopLoss }: Pick<Order, 'side' | 'takeProfit' | 'stopLoss'>,
  { opening, closing }: { readonly opening: Price; readonly closing: Price },
): boolean {
  const towards = direction(side)
  return (
    (takeProfit !== null && (opening - takeProfit) * towards >= 0) ||
    (stopLoss !== null && (closing - stopLoss) * towards <= 0)
  )
}

/** An open position: a filled order that is not closed yet. */
export type Position = Order & { openPrice: Price }

export const isPosition = (order: Order): order is Position =>
  order.status === 'holding' && order.openPrice !== null
