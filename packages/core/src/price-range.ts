import type { Instrument } from './instrument.ts'
import type { Price } from './number.ts'
import { reject, type Rejection } from './rejection.ts'

/** Prices further than this many ticks from zero are refused: they must stay exact integers wherever they go. */
export const MAX_PRICE_TICKS = 1_000_000_000_000

const inRange = (price: Price): boolean => Number.isSafeInteger(price) && Math.abs(price) <= MAX_PRICE_TICKS

/** A price to open at: no position opens at zero or below. */
export const checkOpening = (instrument: Instrument, price: Price): Rejection | null =>
  inRange(price) && price > 0 ? null : refuse(instrument, price)

/** Stops to close at, null for none: only where prices may cross zero can they lie there. */
export function checkStopPrices(
  instrument: Instrument,
  { takeProfit, stopLoss }: { readonly takeProfit: Price | null; readonly stopLoss: Price | null },
): Rejection | null {
  const isPossible = (price: Price | null) =>
    price === null || (inRange(price) && (price > 0 || instrument.allowsNegativePrice))
  const wrong = [takeProfit, stopLoss].find((price) => !isPossible(price)) ?? null
  return wrong === null ? null : refuse(instrument, wrong)
}

const refuse = (instrument: Instrument, price: Price): Rejection =>
  reject('priceInvalid', { price, priceDecimals: instrument.priceDecimals })
