import { ACCESS } from '../protocol/access.ts'
import type { Infer } from '../protocol/codec.ts'
import { defineEndpoint } from '../protocol/endpoint.ts'
import { listOf, nothing } from '../protocol/field.ts'
import { candle, candleQuery, PERIODS, recentCandleQuery } from './candles.wire.ts'
import {
  category,
  instrument,
  instrumentBrief,
  instrumentSearch,
  type quotation,
} from './instruments.wire.ts'

export { PERIODS }
export type { Decimal, Period } from '@fairlot/core'

/** An instrument for lists and tickets: its terms, current price and trading day. */
export type InstrumentListing = Infer<typeof instrument>
export type InstrumentBrief = Infer<typeof instrumentBrief>
export type DayFigures = NonNullable<InstrumentListing['day']>
export type QuoteSource = NonNullable<InstrumentListing['source']>
export type Category = Infer<typeof category>

/** A bar of the mid. `time` is its start, epoch ms. */
export type Candle = Readonly<Infer<typeof candle>>

/** The newest price of an instrument and its trading day so far. */
export type QuoteUpdate = Infer<typeof quotation> & { readonly code: string }

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
  summary: 'Bars of a period, the oldest first, the last one still open; `before` pages into the past',
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
