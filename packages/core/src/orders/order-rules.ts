/**
 * What the lots, prices, stops and expiry of an order may be. One rule for both ends: a ticket asks before it sends, the engine
 * before it accepts.
 */
import type { PlaceOrder } from '../command.ts'
import { closingPrice, type Tick } from '../market/quote.ts'
import { larger, lots, price, smaller, type Lots, type Price } from '../money/number.ts'
import { reject, type Rejection } from '../rejection.ts'
import type { Instrument } from '../terms/instrument.ts'
import { direction, type Side } from './order.ts'

/** Prices further than this many ticks from zero are refused: they must stay exact integers wherever they go. */
export const MAX_PRICE_TICKS = 1_000_000_000_000

/** Take profit and stop loss in ticks, null for none. */
export type StopPrices = { readonly takeProfit: Price | null; readonly stopLoss: Price | null }

type LotRules = Pick<Instrument, 'lotMin' | 'lotMax' | 'lotStep'>

/** At least the minimum, at most the maximum, a whole number of steps. */
export function checkLots({ lotMin, lotMax, lotStep }: LotRules, size: Lots): Rejection | null {
  if (size < lotMin) return reject('lotsBelowMinimum', { lots: size, minimum: lotMin })
  if (size > lotMax) return reject('lotsAboveMaximum', { lots: size, maximum: lotMax })
  return size % lotStep === 0 ? null : reject('lotsOffStep', { lots: size, step: lotStep })
}

/** A part of a position of `held` lots: it and the rest are each of a size that could have been placed. */
export function checkPart(
  { lotMin, lotStep }: Omit<LotRules, 'lotMax'>,
  held: Lots,
  part: Lots,
): Rejection | null {
  const refused = checkLots({ lotMin, lotStep, lotMax: held }, part)
  if (refused) return refused
  return held - part < lotMin
    ? reject('remainderTooSmall', { lots: part, maximum: lots(held - lotMin) })
    : null
}

const inRange = (ticks: Price): boolean => Number.isSafeInteger(ticks) && Math.abs(ticks) <= MAX_PRICE_TICKS

/** A price to open at: no position opens at zero or below. */
export const checkOpening = (
  instrument: Pick<Instrument, 'priceDecimals'>,
  opening: Price,
): Rejection | null => (inRange(opening) && opening > 0 ? null : refuse(instrument, opening))

/** Stops to close at: only where prices may cross zero can they lie there. */
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

/** An order ends by itself at a moment to come, if at all: both in epoch ms. */
export const checkExpiry = (expiresAt: number | null, at: number): Rejection | null =>
  expiresAt === null || expiresAt > at ? null : reject('expiryInPast', { expiresAt })

/** Where a trailing stop starts: at its distance from the closing price, unless the stop that stands risks less. In ticks. */
export function trailingStart(
  { side, stopLoss }: { readonly side: Side; readonly stopLoss: Price | null },
  closing: Price,
  distance: Price,
): Price {
  const started = price(closing - direction(side) * distance)
  if (stopLoss === null) return started
  return side === 'buy' ? larger(stopLoss, started) : smaller(stopLoss, started)
}

/** What the stops of an order keep their distance from: its target, at the market the closing price. */
export const stopsReference = (
  { side, targetPrice }: Pick<PlaceOrder, 'side' | 'targetPrice'>,
  quote: Pick<Tick, 'bid' | 'ask'>,
): Price => targetPrice ?? closingPrice(side, quote)

/**
 * Take profit and stop loss each on its own side of the reference price, at least the instrument's minimum distance
 * away. Checked in that order; a refusal names the nearest prices that would do (`above`, `below`, in ticks).
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
