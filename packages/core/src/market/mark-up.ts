/** The mark-up: how the one published price follows from what a source sent (trading-rules §1). */
import { absolute, divideRounded, price, RATIO_SCALE } from '../money/number.ts'
import type { Instrument } from '../terms/instrument.ts'
import type { Quote, Tick } from './quote.ts'

type Offer = Pick<Tick, 'bid' | 'ask'>

/**
 * Ticks that each side of a source's price is moved outwards by: the instrument's part of the mid, rounded half away from zero. Never
 * so far that a price which may not be negative comes to zero, or that it is no whole number any more.
 */
export function markUpTicks({ markUp, allowsNegativePrice }: Instrument, { bid, ask }: Offer): number {
  if (!markUp) return 0
  const part = divideRounded(absolute(BigInt(bid) + BigInt(ask)) * BigInt(markUp), 2n * RATIO_SCALE)
  const lowest = allowsNegativePrice ? -Number.MAX_SAFE_INTEGER : 1
  return Math.max(0, Math.min(Number(part), bid - lowest, Number.MAX_SAFE_INTEGER - ask))
}

/** The price that everybody gets, of one that the guard has let in. Both sides move alike, so the mid is the source's. */
export function publish(instrument: Instrument | undefined, quote: Quote): Quote {
  const ticks = instrument ? markUpTicks(instrument, quote) : 0
  if (ticks === 0) return quote
  return { ...quote, bid: price(quote.bid - ticks), ask: price(quote.ask + ticks), markUp: ticks }
}

/** What the source sent, of a published price. */
export const sourcePrice = ({ bid, ask, markUp = 0 }: Offer & Pick<Quote, 'markUp'>): Offer => ({
  bid: price(bid + markUp),
  ask: price(ask - markUp),
})
