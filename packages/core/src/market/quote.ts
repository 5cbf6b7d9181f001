import type { Instrument } from '../terms/instrument.ts'
import { divideRounded, powerOfTen, price, type Fraction, type Price } from '../money/number.ts'
import type { Side } from '../orders/order.ts'

/** An offer as a feed sent it, in ticks of the instrument; not yet accepted. */
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
  /** Rises by one with each accepted tick of the instrument. */
  readonly seq: number
  /** When the server accepted it, epoch ms on the market clock. Freshness counts from here. */
  readonly receivedAt: number
  /** Ticks by which each side lies outside what the source sent (`mark-up.ts`); left out: none. */
  readonly markUp?: number
}

/** The price a side opens at: a buy at the ask, a sell at the bid. */
export const openingPrice = (side: Side, quote: Pick<Tick, 'bid' | 'ask'>): Price =>
  side === 'buy' ? quote.ask : quote.bid

/** The price a side closes at: a buy at the bid, a sell at the ask. */
export const closingPrice = (side: Side, quote: Pick<Tick, 'bid' | 'ask'>): Price =>
  side === 'buy' ? quote.bid : quote.ask

/** The mid in whole ticks, half away from zero: what charts and lists show. Money is never computed from it. */
export const midPrice = (quote: Pick<Tick, 'bid' | 'ask'>): Price =>
  price(Number(divideRounded(BigInt(quote.bid) + BigInt(quote.ask), 2n)))

/** The exact mid as a fraction of the quote currency: (bid + ask) / 2, never rounded. */
export const exactMid = (instrument: Instrument, quote: Pick<Tick, 'bid' | 'ask'>): Fraction => ({
  numerator: BigInt(quote.bid) + BigInt(quote.ask),
  denominator: 2n * powerOfTen(instrument.priceDecimals),
})

/** True while a quote is young enough to fill or trigger. `at` is epoch ms, `freshnessMs` the longest age allowed. */
export const isFresh = (quote: Quote, at: number, freshnessMs: number): boolean =>
  at - quote.receivedAt <= freshnessMs
