import type { Instrument, Quote } from '@fairlot/core'
import { toTicks, type Decimal } from '@fairlot/core/decimal'
import type { InstrumentListing, QuoteUpdate } from './market.ts'

/** The core's instrument, so that a ticket computes margin, fee and profit as the engine does. */
export const toInstrument = (listing: InstrumentListing): Instrument => ({
  id: listing.id,
  code: listing.code,
  quoteCurrency: listing.quoteCurrency,
  baseCurrency: listing.baseCurrency,
  priceDecimals: listing.priceDecimals,
  contractSize: listing.contractSize,
  marginMode: listing.marginMode,
  leverages: listing.leverages,
  lotStep: listing.lotStep,
  lotMin: listing.lotMin,
  lotMax: listing.lotMax,
  feeRate: listing.feeRate,
  minStopDistance: ticksOf(listing.minStopDistance, listing),
  allowsNegativePrice: listing.allowsNegativePrice,
  suspectBand: listing.suspectBand,
  maxSpread: listing.maxSpread,
  ...(listing.markUp > 0 && { markUp: listing.markUp }),
  session: listing.session,
  swapRate: { buy: listing.swapBuy, sell: listing.swapSell },
  tripleSwapDay: listing.tripleSwapDay,
  freshnessMs: listing.freshnessMs,
  isEnabled: listing.isTradable,
})

/** The core's quote. `receivedAt` is the local arrival time, epoch ms, used for freshness. */
export const toQuote = (
  update: Pick<QuoteUpdate, 'instrumentId' | 'bid' | 'ask' | 'seq' | 'time' | 'source'>,
  instrument: Pick<Instrument, 'priceDecimals'>,
  receivedAt: number,
): Quote => ({
  instrumentId: update.instrumentId,
  bid: ticksOf(update.bid, instrument),
  ask: ticksOf(update.ask, instrument),
  seq: update.seq,
  time: update.time,
  source: update.source,
  receivedAt,
})

/** Prices from the server have the instrument's digits; others are a bug of client or server. */
function ticksOf(
  value: Decimal,
  { priceDecimals }: Pick<Instrument, 'priceDecimals'>,
): Instrument['minStopDistance'] {
  const ticks = toTicks(value, priceDecimals)
  if (ticks === null) throw new RangeError(`${value} has more than ${priceDecimals} decimals`)
  return ticks
}
