import type { Instrument } from './instrument.ts'
import { powerOfTen, price, type Fraction, type Price } from './number.ts'
import { divideRounded } from './rounding.ts'
import type { Side } from './order.ts'

/** A price as sent by a feed, in ticks of the instrument; not yet accepted. */
export type Tick = {
  readonly instrumentId: number
  readonly bid: Price
  readonly ask: Price
  /** The source's own time, epoch ms. */
  readonly time: number
  readonly source: string
}

/** An accepted tick: the one published price of an instrument. */
export type Quote = Tick & {
  /** Incremented by each accepted tick of the instrument. */
  readonly seq: number
  /** When the server accepted it, epoch ms on the market clock. Freshness is measured from here. */
  readonly receivedAt: number
  /** Ticks by which each side lies outside the source's price (`mark-up.ts`); left out: none. */
  readonly markUp?: number
  /** Accepted near a reference that operators admitted and no market ticks had confirmed yet. */
  readonly admitted?: true
}

/** The price a side opens at: a buy at the ask, a sell at the bid. */
export const openingPrice = (side: Side, quote: Pick<Tick, 'bid' | 'ask'>): Price =>
  side === 'buy' ? quote.ask : quote.bid

/** The price a side closes at: a buy at the bid, a sell at the ask. */
export const closingPrice = (side: Side, quote: Pick<Tick, 'bid' | 'ask'>): Price =>
  side === 'buy' ? quote.bid : quote.ask

/** The mid in whole ticks, half away from zero, for charts and lists. Money is never computed from it. */
export const midPrice = (quote: Pick<Tick, 'bid' | 'ask'>): Price =>
  price(Number(divideRounded(BigInt(quote.bid) + BigInt(quote.ask), 2n)))

/** The exact mid as a fraction of the quote currency: (bid + ask) / 2, never rounded. */
export const exactMid = (instrument: Instrument, quote: Pick<Tick, 'bid' | 'ask'>): Fraction => ({
  numerator: BigInt(quote.bid) + BigInt(quote.ask),
  denominator: 2n * powerOfTen(instrument.priceDecimals),
})

/** True while a quote is fresh enough to fill or trigger. `at` is epoch ms, `freshnessMs` the maximum age. */
export const isFresh = (quote: Quote, at: number, freshnessMs: number): boolean =>
  at - quote.receivedAt <= freshnessMs
