/** The mark-up: how the published price follows from the price of the source (trading-rules §1). */
import { absolute, price, RATIO_SCALE } from '../model/number.ts'
import { divideRounded } from '../model/rounding.ts'
import type { Instrument } from '../model/instrument.ts'
import type { Quote, Tick } from '../model/quote.ts'

type Offer = Pick<Tick, 'bid' | 'ask'>

/**
 * Ticks by which each side of a source's price is moved outwards: the instrument's fraction of the mid, rounded half
 * away from zero. Limited so that a price that cannot be negative stays positive and all prices stay exact integers.
 */
export function markUpTicks({ markUp, allowsNegativePrice }: Instrument, { bid, ask }: Offer): number {
  if (!markUp) return 0
  const part = divideRounded(absolute(BigInt(bid) + BigInt(ask)) * BigInt(markUp), 2n * RATIO_SCALE)
  const lowest = allowsNegativePrice ? -Number.MAX_SAFE_INTEGER : 1
  return Math.max(0, Math.min(Number(part), bid - lowest, Number.MAX_SAFE_INTEGER - ask))
}

/**
 * The published price of a price that the guard has admitted. Both sides move equally, so the mid is that of the
 * source.
 */
export function withMarkUp(instrument: Instrument | undefined, quote: Quote): Quote {
  const ticks = instrument ? markUpTicks(instrument, quote) : 0
  if (ticks === 0) return quote
  return { ...quote, bid: price(quote.bid - ticks), ask: price(quote.ask + ticks), markUp: ticks }
}

/** The price of the source behind a published price. */
export const sourcePrice = ({ bid, ask, markUp = 0 }: Offer & Pick<Quote, 'markUp'>): Offer => ({
  bid: price(bid + markUp),
  ask: price(ask - markUp),
})
