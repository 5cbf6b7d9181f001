import type { Price } from '@fairlot/core'

/** Where a price comes from; always shown to the user. */
export type FeedKind = 'live' | 'recorded' | 'simulated'

/** A price as a source sent it: decimals still as text or JSON numbers; nothing is trusted yet. */
export type RawTick = {
  readonly code: string
  readonly bid: string | number
  readonly ask: string | number
  /** The source's own time, epoch ms on the market clock; null where it sends none. */
  readonly time: number | null
  /** Name of the feed that sent it. */
  readonly source: string
}

/** Epoch ms on the market clock: whole, and never going back. */
export type Clock = { now(): number }

/** What a feed needs to know of an instrument. Prices and spreads are in units of the quote currency. */
export type FeedInstrument = {
  readonly code: string
  readonly category: string
  readonly baseCurrency: string
  readonly quoteCurrency: string
  readonly priceDecimals: number
  readonly typicalSpread: number
  readonly referencePrice: number
  /** Standard deviation of the yearly logarithmic return: 0.07 is 7 %. */
  readonly yearlyVolatility: number
}

export type Period = '1min' | '5min' | '15min' | '30min' | '60min' | '1day'
export const PERIODS: readonly Period[] = ['1min', '5min', '15min', '30min', '60min', '1day']

/** A bar of the mid in ticks of the instrument; `time` is its start, epoch ms. The last one may still be moving. */
export type HistoryBar = {
  readonly time: number
  readonly open: Price
  readonly high: Price
  readonly low: Price
  readonly close: Price
  /** Number of ticks in it. */
  readonly volume: number
}

/** What happened to one instrument before its first tick: bars of each period, ascending in time. */
export type InstrumentHistory = {
  readonly code: string
  readonly bars: Readonly<Record<Period, readonly HistoryBar[]>>
}

/** For operators: messages taken in, and those that could not be read. */
export type FeedCounters = { readonly received: number; readonly broken: number }

/** One source of prices. */
export type Feed = {
  readonly name: string
  readonly kind: FeedKind
  /** Codes of the instruments this feed can price, out of those asked for. */
  covers(codes: readonly string[]): readonly string[]
  /**
   * Bars that end at `until` (epoch ms on the market clock), one instrument after the other, pausing between them so
   * that the event loop stays free. Instruments without a past are left out. Call it before `start`.
   */
  history?(instruments: readonly FeedInstrument[], until: number): AsyncIterable<InstrumentHistory>
  /** Longest age at which a quote of this source still counts, where the source is quiet by nature; else null. */
  freshnessMs(code: string): number | null
  counters(): FeedCounters
  start(emit: (tick: RawTick) => void): Promise<void> | void
  stop(): Promise<void> | void
}
