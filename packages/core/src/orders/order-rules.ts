/**
 * Rules for lots, prices, stops and expiry of an order, used by the order ticket before sending and by the engine
 * before accepting.
 */
import type { PlaceOrder } from '../model/command.ts'
import { closingPrice, type Tick } from '../model/quote.ts'
import { lots, type Lots, type Price } from '../model/number.ts'
import { reject, type Rejection } from '../model/rejection.ts'
import type { Instrument } from '../model/instrument.ts'
import type { Side } from '../model/order.ts'

/** The maximum distance of a price from zero in ticks, so that all products stay exact integers. */
export const MAX_PRICE_TICKS = 1_000_000_000_000

/** Take profit and stop loss in ticks, null for none. */
export type StopPrices = { readonly takeProfit: Price | null; readonly stopLoss: Price | null }

type LotRules = Pick<Instrument, 'lotMin' | 'lotMax' | 'lotStep'>

/** At least the minimum, at most the maximum, a multiple of the step. */
export function checkLots({ lotMin, lotMax, lotStep }: LotRules, size: Lots): Rejection | null {
  if (size < lotMin) return reject('lotsBelowMinimum', { lots: size, minimum: lotMin })
  if (size > lotMax) return reject('lotsAboveMaximum', { lots: size, maximum: lotMax })
  return size % lotStep === 0 ? null : reject('lotsOffStep', { lots: size, step: lotStep })
}

type PartRules = Omit<LotRules, 'lotMax'>

/** The smallest and the largest part of a position. */
export type PartRange = { readonly min: Lots; readonly max: Lots }

/** The parts of a position of `held` lots that leave a valid order size; null where it can be closed only as a whole. */
export function partRange({ lotMin, lotStep }: PartRules, held: Lots): PartRange | null {
  const min = Math.ceil(lotMin / lotStep) * lotStep
  const max = Math.floor((held - lotMin) / lotStep) * lotStep
  return min > max ? null : { min: lots(min), max: lots(max) }
}

/** A part of a position of `held` lots: the part and the remainder must each be a valid order size. */
export function checkPart(rules: PartRules, held: Lots, part: Lots): Rejection | null {
  const range = partRange(rules, held)
  if (!range) return reject('closableOnlyWhole', { lots: part, minimum: rules.lotMin })
  const refused = checkLots({ ...rules, lotMin: range.min, lotMax: held }, part)
  if (refused) return refused
  return part > range.max ? reject('remainderTooSmall', { lots: part, maximum: range.max }) : null
}

const inRange = (ticks: Price): boolean => Number.isSafeInteger(ticks) && Math.abs(ticks) <= MAX_PRICE_TICKS

/** A price to open at: no position opens at zero or below. */
export const checkOpening = (
  instrument: Pick<Instrument, 'priceDecimals'>,
  opening: Price,
): Rejection | null => (inRange(opening) && opening > 0 ? null : refuse(instrument, opening))

/** Stop prices; negative only where prices may be negative. */
export function checkStopPrices(
  instrument: Pick<Instrument, 'priceDecimals' | 'allowsNegativePrice'>,
  { takeProfit, stopLoss }: StopPrices,
): Rejection | null {
  const isPossible = (stop: Price | null) =>
    stop === null || (inRange(stop) && (stop > 0 || instrument.allowsNegativePrice))
  const wrong = [takeProfit, stopLoss].find((stop) => !isPossible(stop)) ?? null
  return wrong === null ? null : refuse(instrument, wrong)
}

const refuse = ({ priceDecimals }: Pick<Instrument, 'priceDecimals'>, refused: Price): Rejection =>
  reject('priceInvalid', { price: refused, priceDecimals })

/** An expiry, if any, must be in the future: both in epoch ms. */
export const checkExpiry = (expiresAt: number | null, at: number): Rejection | null =>
  expiresAt === null || expiresAt > at ? null : reject('expiryInPast', { expiresAt })

/** The reference price of an order's stops: its target, or at the market the closing price. */
export const stopsReference = (
  { side, targetPrice }: Pick<PlaceOrder, 'side' | 'targetPrice'>,
  quote: Pick<Tick, 'bid' | 'ask'>,
): Price => targetPrice ?? closingPrice(side, quote)

/**
 * Take profit and stop loss must be on their sides of the reference price, at least the minimum distance away. Checked
 * in that order; a rejection names the nearest valid prices (`above`, `below`, in ticks).
 */
export function checkStops(
  { priceDecimals, minStopDistance }: Pick<Instrument, 'priceDecimals' | 'minStopDistance'>,
  { side, takeProfit, stopLoss }: StopPrices & { readonly side: Side },
  reference: Price,
): Rejection | null {
  const isBuy = side === 'buy'
  const above = reference + minStopDistance
  const below = reference - minStopDistance
  const details = { priceDecimals, reference, above, below, side }
  if (takeProfit !== null && (isBuy ? takeProfit < above : takeProfit > below)) {
    return reject('takeProfitWrongSide', { ...details, price: takeProfit })
  }
  if (stopLoss !== null && (isBuy ? stopLoss > below : stopLoss < above)) {
    return reject('stopLossWrongSide', { ...details, price: stopLoss })
  }
  return null
}
