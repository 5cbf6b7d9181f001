/**
 * Recorded prices: of full hours for the equity curves, of 17:00 New York for the swaps of a rollover (trading-rules
 * §3).
 */
import { tradingDay } from '../calendar/trading-day.ts'
import type { PricesMarked } from '../model/event.ts'
import type { Quote } from '../model/quote.ts'
import { receiptTick } from '../model/receipt.ts'
import type { State } from '../state/state.ts'
import { rolloverBefore, swapRatesAt } from './overnight-swap.ts'

const HOUR_MS = 3_600_000

/** The full hour that contains `at`, epoch ms. */
export const hourOf = (at: number): number => Math.floor(at / HOUR_MS) * HOUR_MS

/** True when the prices of a passed hour are not recorded yet. False before the first account. */
export const isPriceSnapshotDue = (
  { lastPriceSnapshot }: Pick<State, 'lastPriceSnapshot'>,
  at: number,
): boolean => lastPriceSnapshot > 0 && at >= lastPriceSnapshot + HOUR_MS

/**
 * The moments whose prices are due at `at` (epoch ms), oldest first: every 17:00 New York since the last one, and the
 * last full hour. Hours without a running engine are left out.
 */
export function duePriceSnapshots(
  state: Pick<State, 'lastPriceSnapshot' | 'lastRollover'>,
  at: number,
): number[] {
  if (!isPriceSnapshotDue(state, at)) return []
  const moments: number[] = []
  const last = rolloverBefore(at)
  for (let next = state.lastRollover; next < last;) {
    next = tradingDay('newYorkClose', next).end
    moments.push(next)
  }
  const hour = hourOf(at)
  return moments.at(-1) === hour ? moments : [...moments, hour]
}

/** The current prices as those of a moment; at 17:00 New York with the current swap rates. */
export function takePriceSnapshot(
  { quotes, instruments }: Pick<State, 'quotes' | 'instruments'>,
  moment: number,
): PricesMarked {
  const isRollover = rolloverBefore(moment) === moment
  return {
    type: 'pricesMarked',
    moment,
    prices: [...quotes.values()]
      .toSorted((a, b) => a.instrumentId - b.instrumentId)
      .map((quote) => receiptTick(quote)),
    night: isRollover ? swapRatesAt(instruments.values(), moment) : null,
  }
}

/**
 * True while a rollover has no price of an instrument. Known quotes do not show it, because they survive a
 * failed commit, and the tick with the first one is then decided again.
 */
export function isPriceMissing({ rollovers }: Pick<State, 'rollovers'>, instrumentId: number): boolean {
  for (const { prices } of rollovers.values()) if (!prices.has(instrumentId)) return true
  return false
}

/** The price for rollovers that waited for it; empty when none did. */
export function missingPrice({ rollovers }: Pick<State, 'rollovers'>, quote: Quote): PricesMarked[] {
  return [...rollovers.values()]
    .filter(({ prices }) => !prices.has(quote.instrumentId))
    .map(({ rollover }) => ({
      type: 'pricesMarked',
      moment: rollover,
      prices: [receiptTick(quote)],
      night: null,
    }))
}
