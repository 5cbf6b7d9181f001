import { ACCESS } from './access.ts'
import type { Inside } from './codec.ts'
import { defineEndpoint } from './endpoint.ts'
import { listOf, nothing } from './field.ts'
import { candle, candleQuery, PERIODS, recentCandleQuery } from './wire/candle.ts'
import { category, instrument, instrumentBrief, instrumentSearch } from './wire/instrument.ts'
import type { quotation } from './wire/quotation.ts'

export { PERIODS }
export type { Decimal, Period } from '@fairlot/core'

/** An instrument as lists and tickets show it: its terms, its price now, its trading day. */
export type InstrumentListing = Inside<typeof instrument>
export type InstrumentBrief = Inside<typeof instrumentBrief>
export type DayFigures = NonNullable<InstrumentListing['day']>
export type QuoteSource = NonNullable<InstrumentListing['source']>
export type Category = Inside<typeof category>

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
