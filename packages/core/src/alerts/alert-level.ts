/** What an alert waits for, as a level of a price (trading-rules §13). */
import { isStoppedOut, type AccountFigures } from '../margin/account-figures.ts'
import type {
  AlertDirection,
  AlertSide,
  InstrumentCondition,
  MarginLevelCondition,
  Sides,
} from '../model/alert.ts'
import type { Instrument } from '../model/instrument.ts'
import { decimalText, fromUnits } from '../model/decimal.ts'
import { absolute, RATIO_SCALE } from '../model/number.ts'
import { dayRolloverOf } from '../calendar/trading-day.ts'
import { valueOf, type AlertLevel } from '../state/alert-book.ts'
import type { State } from '../state/state.ts'

/** A side of a price as a decimal; the mid with one more place where it lies between two ticks. */
export function sideText(side: AlertSide, prices: Sides, decimals: number): string {
  const halfTicks = (side === 'mid' ? 1n : 2n) * BigInt(valueOf(side, prices))
  return decimalText(fromUnits(5n * halfTicks, decimals + 1), decimals)
}

/** What the level of an alert depends on. */
export type AlertTerms = Pick<State, 'instruments' | 'calendar' | 'dayPrices'>

/** The day's reference of an instrument; undefined while no price of the day is recorded. */
export function dayReference(
  { calendar, dayPrices }: AlertTerms,
  { id, session }: Instrument,
): Sides | undefined {
  const hours = calendar.get(session)
  return dayPrices[hours ? dayRolloverOf(hours) : 'utcMidnight'].prices.get(id)
}

/**
 * The level that an alert on a price waits for. Null while it can wait for none: a move of the day has no reference
 * yet, or the instrument has other decimals than when the alert was set.
 */
export function alertLevel(terms: AlertTerms, condition: InstrumentCondition): AlertLevel | null {
  const { instrumentId, direction, decimals } = condition
  const instrument = terms.instruments.get(instrumentId)
  if (!instrument || instrument.priceDecimals !== decimals) return null
  if (condition.kind === 'price') {
    const { side, price } = condition
    return { instrumentId, side, direction, level: side === 'mid' ? 2 * price : price }
  }
  const reference = dayReference(terms, instrument)
  const level = reference && movedLevel(reference, direction, BigInt(condition.move))
  return level === undefined ? null : { instrumentId, side: 'mid', direction, level }
}

/**
 * The level at which the price is on the other side of an alert by one tick. Null while the alert can wait for no
 * price.
 */
export function returnLevel(terms: AlertTerms, condition: InstrumentCondition): AlertLevel | null {
  const at = alertLevel(terms, condition)
  if (!at) return null
  const tick = at.side === 'mid' ? 2 : 1
  return at.direction === 'above'
    ? { ...at, direction: 'below', level: at.level - tick }
    : { ...at, direction: 'above', level: at.level + tick }
}

/** The reference mid moved by `move` (1e-6), in half ticks; the first at which the move is complete. */
function movedLevel({ bid, ask }: Sides, direction: AlertDirection, move: bigint): number {
  const mid = BigInt(bid) + BigInt(ask)
  const shift = absolute(mid) * move
  return direction === 'above'
    ? -Number(floorDivide(-(mid * RATIO_SCALE + shift), RATIO_SCALE))
    : Number(floorDivide(mid * RATIO_SCALE - shift, RATIO_SCALE))
}

/** The largest integer that is not above the quotient; the divisor is above zero. */
function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor
  return value % divisor < 0n ? quotient - 1n : quotient
}

/** True when a published price meets the condition. */
export function isPriceMet(terms: AlertTerms, condition: InstrumentCondition, prices: Sides): boolean {
  return isReached(alertLevel(terms, condition), prices)
}

/** True when a published price is on the other side of the condition by at least one tick. */
export const isPriceBack = (terms: AlertTerms, condition: InstrumentCondition, prices: Sides): boolean =>
  isReached(returnLevel(terms, condition), prices)

function isReached(at: AlertLevel | null, prices: Sides): boolean {
  if (!at) return false
  const value = valueOf(at.side, prices)
  return at.direction === 'above' ? value >= at.level : value <= at.level
}

/** True when the margin level has fallen to that of the condition; without margin there is no level. */
export const isMarginLevelMet = (
  { level: stopOutLevel }: MarginLevelCondition,
  { equity, margin }: Pick<AccountFigures, 'equity' | 'margin'>,
): boolean => isStoppedOut({ settings: { stopOutLevel } }, equity, margin)
