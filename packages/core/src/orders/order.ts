import type { Lots, Money, Price } from '../money/number.ts'

export type Side = 'buy' | 'sell'
export type OrderStatus = 'pending' | 'holding' | 'closed' | 'cancelled'

/** How an order comes into the market, seen from the price at the moment it was placed. */
export type OrderKind = 'market' | 'limit' | 'stop'

/** Why an order ended; `none` while it lives. */
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
  | 'demoReset'
  | 'withdrawnByOperator'

/**
 * An order that lives: pending or holding. It keeps its id from the first to the last. Finished orders leave the
 * engine's memory; the tables keep them.
 */
export type Order = {
  readonly id: number
  readonly accountId: number
  readonly instrumentId: number
  readonly side: Side
  readonly kind: OrderKind
  /** Falls when a part is closed. */
  lots: Lots
  readonly leverage: number
  status: 'pending' | 'holding'
  /** Wished price of a pending order, kept after the fill; null for a market order. */
  readonly targetPrice: Price | null
  /** The mid when the order was accepted, or the wished price of a pending order. */
  readonly acceptedPrice: Price
  /** The fill price, spread included; null while pending. */
  openPrice: Price | null
  takeProfit: Price | null
  stopLoss: Price | null
  /** How far behind the best closing price the stop loss follows, in ticks; null where it stands still. */
  trailingDistance: Price | null
  /** Margin held since the fill, or reserved at the target price while pending. */
  margin: Money
  /** Fee charged at the fill, or reserved while pending. */
  fee: Money
  /** A pending order's end of life, epoch ms. */
  readonly expiresAt: number | null
  readonly createdAt: number
  openedAt: number | null
  /** Number of the tick it was filled at: that tick does not also fire its stops. 0 once it no longer matters. */
  openedSeq: number
  /** The last overnight moment that was booked for it, epoch ms; 0 before the first. */
  financedAt: number
}

/** 1 for a buy, -1 for a sell. */
export const direction = (side: Side): 1 | -1 => (side === 'buy' ? 1 : -1)

export const opposite = (side: Side): Side => (side === 'buy' ? 'sell' : 'buy')

/** A buy below the ask or a sell above the bid waits for a better price (limit), the other way round for a worse (stop). */
export function pendingKind(side: Side, targetPrice: Price, opening: Price): 'limit' | 'stop' {
  const isBetter = side === 'buy' ? targetPrice < opening : targetPrice > opening
  return isBetter ? 'limit' : 'stop'
}

/** A position: an order that has been filled and lives. */
export type Position = Order & { openPrice: Price }

export const isHolding = (order: Order): order is Position =>
  order.status === 'holding' && order.openPrice !== null
