import { ACCESS } from './access.ts'
import type { Instrument, Quote } from '@fairlot/core'
import { toTicks, type Decimal } from '@fairlot/core/decimal'
import type { Inside } from './codec.ts'
import { defineEndpoint } from './endpoint.ts'
import { listOf, nothing } from './field.ts'
import { candle, candleQuery, PERIODS, recentCandleQuery } from './wire/candle.ts'
import { category, instrument, instrumentBrief, instrumentSearch } from './wire/instrument.ts'
import type { quotation } from './wire/quotation.ts'
import { termsChange } from './wire/terms-change.ts'

export { PERIODS }
export type { Decimal, Period } from '@fairlot/core'

/** An instrument as lists and tickets show it: its terms, its price now, its trading day. */
export type InstrumentListing = Inside<typeof instrument>
export type InstrumentBrief = Inside<typeof instrumentBrief>
export type DayFigures = NonNullable<InstrumentListing['day']>
export type QuoteSource = NonNullable<InstrumentListing['source']>
export type Category = Inside<typeof category>

/** A change of terms that traders are shown before it holds. */
export type TermsChange = Inside<typeof termsChange>

/** A bar of the mid. `time` is its start, epoch ms. */
export type Candle = Readonly<Inside<typeof candle>>

/** The newest price of an instrument and its trading day so far. */
export type QuoteUpdate = Inside<typeof quotation> & { readonly code: string }

export const CANDLES_DEFAULT = 300
export const CANDLES_RECENT = 60

export const listInstruments = defineEndpoint({
  name: 'listInstruments',
  method: 'GET',
  path: '/v1/api/forex/trade_list',
  access: ACCESS.market,
  request: instrumentSearch,
  response: listOf(instrument),
  summary: 'Every enabled instrument, sorted by rank, optionally only those whose code or name holds a text',
})

export const listCategories = defineEndpoint({
  name: 'listCategories',
  method: 'GET',
  path: '/v1/api/forex/getCategories',
  access: ACCESS.market,
  request: nothing,
  response: listOf(category),
  summary: 'The categories of instruments',
})

export const listCandles = defineEndpoint({
  name: 'listCandles',
  method: 'GET',
  path: '/v1/api/forex/kline',
  access: ACCESS.market,
  request: candleQuery,
  response: listOf(candle),
  summary: 'Bars of a period, the oldest first, the last one still moving; `before` pages into the past',
})

export const listRecentCandles = defineEndpoint({
  name: 'listRecentCandles',
  method: 'GET',
  path: '/v1/api/forex/abbreviated_cache_kline',
  access: ACCESS.market,
  request: recentCandleQuery,
  response: listOf(candle),
  summary: 'The last 60 bars of a period, or fewer, for a small chart',
})

export const listTermsChanges = defineEndpoint({
  name: 'listTermsChanges',
  method: 'GET',
  path: '/v1/api/forex/terms_changes',
  access: ACCESS.market,
  request: nothing,
  response: listOf(termsChange),
  summary: 'Changes of terms that are announced and not in force yet, the next one first',
})

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

/** The core's quote. `receivedAt` is when it arrived here, epoch ms; freshness counts from it. */
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

/** Prices that the server published have the instrument's digits; others are a bug of one of the two ends. */
function ticksOf(
  value: Decimal,
  { priceDecimals }: Pick<Instrument, 'priceDecimals'>,
): Instrument['minStopDistance'] {
  const ticks = toTicks(value, priceDecimals)
  if (ticks === null) throw new RangeError(`${value} has more than ${priceDecimals} decimals`)
  return ticks
}
