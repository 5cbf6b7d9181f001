/** Alerts (trading-rules §13): what a user wants to be notified of. They change no money and no price. */
import type { Money, Price, Ratio } from './number.ts'
import type { Tick } from './quote.ts'
import type { ReceiptTick } from './receipt.ts'

/** The side of the published price that an alert watches. */
export type AlertSide = 'bid' | 'ask' | 'mid'
/** `above` fires at or above its level, `below` at or below. */
export type AlertDirection = 'above' | 'below'

/** A side of an instrument's price reaches a price. */
export type PriceCondition = {
  readonly kind: 'price'
  readonly instrumentId: number
  readonly side: AlertSide
  readonly direction: AlertDirection
  readonly price: Price
  /** Of the price: an alert whose instrument has other decimals since then waits for nothing. */
  readonly decimals: number
}

/** The mid moves by a part of the day's reference (`DayPrices`). */
export type DayMoveCondition = {
  readonly kind: 'dayMove'
  readonly instrumentId: number
  readonly direction: AlertDirection
  /** 1e-6 of the reference, above zero in both directions: 5 % is 50,000. */
  readonly move: Ratio
  readonly decimals: number
}

/** The margin level of the account falls to a level. */
export type MarginLevelCondition = {
  readonly kind: 'marginLevel'
  /** In whole percent; fires at or below. */
  readonly level: number
}

export type InstrumentCondition = PriceCondition | DayMoveCondition
export type AlertCondition = InstrumentCondition | MarginLevelCondition

/** An alert that has not ended. */
export type Alert = {
  readonly id: number
  readonly accountId: number
  readonly condition: AlertCondition
  /** How long it waits after it has fired before it can fire again, ms; null: it fires once. */
  readonly pauseMs: number | null
  /** The end of its pause, epoch ms; 0 before it has fired. */
  wakesAt: number
  /** True after it has fired until the price has been on the other side by at least one tick (`alertRearmed`). */
  awaitsReturn: boolean
  /** When it ends without firing, epoch ms; null: it waits without limit. */
  readonly expiresAt: number | null
}

/** The two sides of a published price. */
export type Sides = Pick<Tick, 'bid' | 'ask'>

/** The references of a trading day: the first recorded price of each instrument in it (`pricesMarked`). */
export type DayPrices = {
  /** The beginning of the day, epoch ms; 0 before the first recorded price. */
  start: number
  readonly prices: Map<number, Sides>
}

/** The most alerts of an account that have not ended. */
export const MAX_ALERTS = 50
/** Limits of the pause between two firings. */
export const MIN_ALERT_PAUSE_MS = 60_000
export const MAX_ALERT_PAUSE_MS = 30 * 86_400_000
/** An alert ends at most this long after it was set, if it has an expiry. */
export const MAX_ALERT_TERM_MS = 366 * 86_400_000
/** Limits of a move of the day: 0.01 % to 100 %. */
export const MIN_DAY_MOVE = 100
export const MAX_DAY_MOVE = 1_000_000
/** The highest margin level of an alert, in percent. */
export const MAX_ALERT_LEVEL = 100_000

export type AlertSet = {
  readonly type: 'alertSet'
  readonly alertId: number
  readonly accountId: number
  readonly condition: AlertCondition
  readonly pauseMs: number | null
  /** When it ends without firing, epoch ms; left out: it waits without limit. */
  readonly expiresAt?: number
  /** The price that the condition was compared with; null where there was none, and for the margin level. */
  readonly tick: ReceiptTick | null
}

export type AlertRemoved = {
  readonly type: 'alertRemoved'
  readonly alertId: number
  readonly accountId: number
}

/** A published price met the condition. */
export type AlertFired = {
  readonly type: 'alertFired'
  readonly alertId: number
  readonly accountId: number
  readonly condition: AlertCondition
  readonly tick: ReceiptTick
  /** When it can fire again, epoch ms; null: it has ended. */
  readonly wakesAt: number | null
  /** It fires again only once the price has been on the other side; since rules 4, of alerts on prices with a pause. */
  readonly awaitsReturn?: true
  /** Of a move of the day: the price that it is measured from. */
  readonly reference?: Sides
  /** Of a margin level: the figures that reached it, and every price behind them, by instrument. */
  readonly margin?: MarginReached
}

export type MarginReached = {
  readonly equity: Money
  readonly margin: Money
  readonly prices: readonly ReceiptTick[]
}

/** Why an alert has ended by itself: its expiry has passed, or its instrument was switched off. */
export type AlertEndReason = 'expired' | 'instrumentOff'

export type AlertEnded = {
  readonly type: 'alertEnded'
  readonly alertId: number
  readonly accountId: number
  readonly condition: AlertCondition
  readonly reason: AlertEndReason
}

/** The price has been on the other side by at least one tick: the alert can fire again, after its pause. */
export type AlertRearmed = {
  readonly type: 'alertRearmed'
  readonly alertId: number
  readonly accountId: number
  readonly tick: ReceiptTick
}

export type AlertEvent = AlertSet | AlertRemoved | AlertFired | AlertRearmed | AlertEnded
