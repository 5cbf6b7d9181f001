import {
  parseRounded,
  price,
  type Candle,
  type DayRollover,
  type Instrument,
  type InstrumentSource,
  type Period,
  type Price,
  type Tick,
} from '@fairlot/core'

/** The kind of source of a price; always shown to the user. */
export type FeedKind = 'live' | 'recorded' | 'simulated'

/** A price as a source sent it: decimals as text or JSON numbers, not yet validated. */
export type RawTick = {
  readonly code: string
  readonly bid: string | number
  readonly ask: string | number
  /** The source's own time, epoch ms on the market clock; null if it sends none. */
  readonly time: number | null
  /** Name of the feed that sent it. */
  readonly source: string
}

export type Clock = {
  /** Integer epoch ms on the market clock; never goes back. */
  now(): number
  /** Converts a source's time to the market clock; only the real clock may differ from those of sources. */
  fromSource?(time: number): number
  /** By how much it was set forward since the last call, ms. */
  takeJumps?(): number
}

/** The data of an instrument that feeds need. Prices and spreads are in units of the quote currency. */
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
  /** The boundary of its trading day, where its day bars start. */
  readonly dayRollover: DayRollover
}

/** The history of an instrument before its first tick: bars of the mid, ascending; the last may still be moving. */
export type InstrumentHistory = {
  readonly code: string
  readonly bars: Readonly<Record<Period, readonly Candle[]>>
}

/** For operators: numbers of prices received, and of messages or lines that could not be read. */
type FeedCounters = { readonly received: number; readonly broken: number }

/** One source of prices. */
export type Feed = {
  readonly name: string
  readonly kind: FeedKind
  /** The requested codes that this feed can price. */
  covers(codes: readonly string[]): readonly string[]
  /**
   * Bars that end at `until` (epoch ms on the market clock), one instrument after the other, with a pause between them
   * so that the event loop stays free. Instruments without a past are left out.
   */
  history?(instruments: readonly FeedInstrument[], until: number): AsyncIterable<InstrumentHistory>
  /** Longest age at which a quote of this source counts as fresh, if the source updates slowly by nature; else null. */
  freshnessMs(code: string): number | null
  counters(): FeedCounters
  /**
   * Begins to emit. `reopen` is called before the first tick after a jump (a recording that loops, a live source that takes
   * over from another one): that tick has no reference.
   */
  start(emit: (tick: RawTick) => void, reopen?: (code: string) => void): Promise<void> | void
  /** Stops it for good: nothing is emitted afterwards. */
  stop(): Promise<void> | void
}

/** The setting MARKET_HOURS; null: simulated prices run around the clock, all others keep real hours. */
export type MarketHours = 'always' | 'real' | null

/** The source of an instrument's prices as a term; `kind` is null without a feed. */
export function sourceBy(feed: Feed | null, code: string, marketHours: MarketHours): InstrumentSource {
  const isAlways = marketHours === 'always' || (marketHours === null && feed?.kind === 'simulated')
  return {
    kind: feed?.kind ?? null,
    hours: isAlways ? 'always' : 'session',
    freshnessMs: feed?.freshnessMs(code) ?? null,
  }
}

export const isSameSource = (one: InstrumentSource | undefined, other: InstrumentSource): boolean =>
  one?.kind === other.kind && one.hours === other.hours && one.freshnessMs === other.freshnessMs

/** Why a message of a source is not a valid tick. */
const TICK_FAULTS = ['unknownInstrument', 'notANumber'] as const
type TickFault = (typeof TICK_FAULTS)[number]

/**
 * A raw tick as a core tick in whole ticks of its instrument (undefined: not one of ours). Digits beyond the
 * instrument's precision are rounded half away from zero. A tick without a time of its own gets `arrivedAt` (epoch ms on
 * the market clock). Answers with the reason when it cannot be read.
 */
export function readTick(
  raw: RawTick,
  instrument: Pick<Instrument, 'id' | 'priceDecimals'> | undefined,
  arrivedAt: number,
): Tick | TickFault {
  if (!instrument) return 'unknownInstrument'
  const bid = priceInTicks(raw.bid, instrument.priceDecimals)
  const ask = priceInTicks(raw.ask, instrument.priceDecimals)
  const time = raw.time ?? arrivedAt
  if (bid === null || ask === null || !Number.isSafeInteger(time)) return 'notANumber'
  return { instrumentId: instrument.id, bid, ask, time, source: raw.source }
}

/**
 * A plain decimal (text, or a finite JSON number) in whole ticks of 10^-decimals, rounded half away from zero. Null for
 * everything else: exponents in text, hexadecimal, empty text, null, arrays, NaN, numbers past the safe integers.
 */
export function priceInTicks(value: unknown, decimals: number): Price | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null
  const ticks = Number(parseRounded(value, decimals) ?? NaN)
  return Number.isSafeInteger(ticks) ? price(ticks) : null
}
