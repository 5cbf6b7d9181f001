import type { Candle, DayTurn, Period } from '@fairlot/core'

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

export type Clock = {
  /** Epoch ms on the market clock: whole, and never going back. */
  now(): number
  /** A time that a source gives, on the market clock; only the clock of real time may differ from those of sources. */
  fromSource?(time: number): number
  /** How far it has been set forward since the last asking, ms. */
  takeJumps?(): number
}

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
  /** Where its trading day turns: the start of its day bars. */
  readonly dayTurn: DayTurn
}

/** What happened to one instrument before its first tick: bars of the mid, ascending; the last may still be moving. */
export type InstrumentHistory = {
  readonly code: string
  readonly bars: Readonly<Record<Period, readonly Candle[]>>
}

/** For operators: prices taken in, and messages or lines that could not be read. */
export type FeedCounters = { readonly received: number; readonly broken: number }

/** One source of prices. */
export type Feed = {
  readonly name: string
  readonly kind: FeedKind
  /** Codes of the instruments this feed can price, out of those asked for. */
  covers(codes: readonly string[]): readonly string[]
  /**
   * Bars that end at `until` (epoch ms on the market clock), one instrument after the other, with a pause between them
   * so that the event loop stays free. Instruments without a past are left out.
   */
  history?(instruments: readonly FeedInstrument[], until: number): AsyncIterable<InstrumentHistory>
  /** Longest age at which a quote of this source still counts, where the source is quiet by nature; else null. */
  freshnessMs(code: string): number | null
  counters(): FeedCounters
  /**
   * Begins to emit. `reopen` is called before the first tick after a jump (a recording that loops, a live source that takes
   * over from another one): that tick has no reference.
   */
  start(emit: (tick: RawTick) => void, reopen?: (code: string) => void): Promise<void> | void
  /** Ends it for good: nothing is emitted afterwards. */
  stop(): Promise<void> | void
}
