import type { QuoteUpdate } from '@fairlot/contract'
import { freshnessOf, type Quote, type State } from '@fairlot/core'
import type { Queries } from '../database/open.ts'
import type { Engine } from '../engine/engine.ts'
import type { OpenFeeds } from '../feeds/open-feeds.ts'
import type { Clock, FeedInstrument, FeedKind, RawTick } from '../feeds/feed.ts'
import type { MarketHours } from '../feeds/instrument-source.ts'
import { createCandleBook, type CandleBook } from './candle-book.ts'
import { loadNewestCandles, type StoredCandle } from './candle-store.ts'
import type { Catalogue } from './catalogue.ts'
import { quoteUpdate } from './listing.ts'
import type { OpeningHours } from './opening-hours.ts'
import { numberInstruments, saveQuotes, type LastQuotes } from './quote-store.ts'
import { createRefusedTicksReport } from './refused-ticks.ts'
import { watchSources } from './source-watch.ts'
import { createTickIntake, type TickIntake } from './tick-intake.ts'
import { withheldReport } from './withheld.ts'

/** How often bars and quotes go to the database, ms. A crash loses no more than this of them. */
const FLUSH_MS = 1_000

/** The published prices: from the feeds through the guard into the engine, and on into bars. */
export type Market = {
  readonly catalogue: Catalogue
  readonly candles: CandleBook
  readonly hours: OpeningHours
  readonly intake: TickIntake
  now(): number
  quoteOf(instrumentId: number): Quote | null
  /** Why an operator has halted an instrument; null while it is not halted. */
  haltReasonOf(instrumentId: number): string | null
  /** What kind of source prices an instrument; null for none. */
  sourceOf(instrumentId: number): FeedKind | null
  /** Longest age at which a quote of an instrument fills and triggers, ms. */
  freshnessMs(instrumentId: number): number
  /** The price of an instrument as lists and sockets show it; null before its first. */
  updateOf(quote: Quote): QuoteUpdate | null
  /** Ticks refused since the last asking, as a sentence for the operator; null for none. */
  refusedTicks(): string | null
  /** Orders for which something could not be booked since the last asking, as a sentence for the operator; null for none. */
  withheld(): string | null
  /** That the clock was set forward since the last asking, as a sentence for the operator; null when it was not. */
  clockJump(): string | null
  /** Starts the feeds; on an empty database their past goes in first. */
  start(): Promise<void>
  stop(): Promise<void>
}

export type MarketOptions = {
  readonly queries: Queries
  readonly catalogue: Catalogue
  readonly hours: OpeningHours
  readonly feeds: OpenFeeds
  readonly feedInstruments: readonly FeedInstrument[]
  readonly marketHours: MarketHours
  readonly engine: Engine
  readonly last: LastQuotes
  readonly onError: (error: unknown, doing: string) => void
}

export async function createMarket(options: MarketOptions): Promise<Market> {
  const { queries, catalogue, hours, feeds, engine, last, onError } = options
  const { clock } = feeds
  const newest = await loadNewestCandles(queries)
  const candles = createCandleBook({ queries, catalogue, newest, onError })
  const intake = createTickIntake({
    catalogue,
    hours,
    clock,
    last,
    accept: (quote) => engine.tick(quote),
  })
  const sourceOf = (instrumentId: number) => engine.state().sources.get(instrumentId)?.kind ?? null
  const watch = watchSources({ engine, catalogue, feeds, marketHours: options.marketHours })
  const take = (tick: RawTick) => {
    watch(tick)
    intake.take(tick)
  }
  const number = createNumbering(queries, catalogue)
  engine.onQuote(candles.fold)
  const takeMoved = createSaving(queries, engine)
  const flush = async () => {
    // Taken first: what is saved of prices is never ahead of the bars.
    const save = takeMoved()
    await number()
    await candles.flush()
    await save()
  }
  const flushing = createLoop(FLUSH_MS, () =>
    flush().catch((error: unknown) => onError(error, 'writing prices')),
  )

  const quoteOf = (instrumentId: number) => engine.state().quotes.get(instrumentId) ?? null
  return {
    catalogue,
    candles,
    hours,
    intake,
    now: () => clock.now(),
    quoteOf,
    haltReasonOf: (instrumentId) => engine.state().halts.get(instrumentId) ?? null,
    sourceOf,
    freshnessMs: (instrumentId) => freshnessIn(engine.state(), instrumentId),
    refusedTicks: createRefusedTicksReport(catalogue, intake),
    clockJump: () => jumpNote(clock),
    withheld: () => withheldReport(engine.state()),
    updateOf: (quote) => {
      const instrument = catalogue.byId.get(quote.instrumentId)?.instrument
      const day = candles.current(quote.instrumentId, '1day')
      const source = sourceOf(quote.instrumentId)
      return instrument && day && source ? quoteUpdate(instrument, quote, day, source) : null
    },
    start: async () => {
      await number()
      await addHistory(options, candles, new Set(newest.map((stored) => stored.instrumentId)))
      for (const feed of feeds.feeds) await feed.start(take, intake.reopen)
      flushing.start()
    },
    stop: async () => {
      for (const feed of feeds.feeds) await feed.stop()
      await flushing.stop()
      await flush()
    },
  }
}

function jumpNote(clock: Clock): string | null {
  const seconds = Math.round((clock.takeJumps?.() ?? 0) / 1_000)
  return seconds > 0 ? `the market clock has followed the machine's, which went ${seconds} s forward` : null
}

function freshnessIn(state: State, instrumentId: number): number {
  const instrument = state.instruments.get(instrumentId)
  return instrument ? freshnessOf(state, instrument) : state.settings.freshnessMs
}

/** Takes the quotes that have moved since they were saved, and answers how to save them. */
function createSaving(queries: Queries, engine: Pick<Engine, 'onQuote'>): () => () => Promise<void> {
  const moved = new Map<number, Quote>()
  engine.onQuote((quote) => moved.set(quote.instrumentId, quote))
  return () => {
    const quotes = [...moved.values()]
    return async () => {
      await saveQuotes(queries, quotes)
      // What moved on during the write stays for the next one.
      for (const quote of quotes)
        if (moved.get(quote.instrumentId) === quote) moved.delete(quote.instrumentId)
    }
  }
}

/** Numbers for the prices of every instrument there is, on disk; asked again, only what came since is looked at. */
function createNumbering(queries: Queries, catalogue: Catalogue): () => Promise<void> {
  const numbered = new Set<number>()
  return async () => {
    const fresh = [...catalogue.byId.keys()].filter((id) => !numbered.has(id))
    await numberInstruments(queries, fresh)
    for (const id of fresh) numbered.add(id)
  }
}

/** The past of instruments that have none yet, one after the other. It ends where the feed will begin. */
async function addHistory(
  options: MarketOptions,
  candles: CandleBook,
  known: ReadonlySet<number>,
): Promise<void> {
  const { feeds, catalogue } = options
  for (const feed of feeds.feeds) {
    const wanted = options.feedInstruments.filter(({ code }) => {
      const id = catalogue.byCode.get(code)?.instrument.id
      return id !== undefined && !known.has(id) && feeds.feedOf(code) === feed
    })
    if (!feed.history || wanted.length === 0) continue
    for await (const { code, bars } of feed.history(wanted, feeds.clock.now())) {
      const instrumentId = catalogue.byCode.get(code)?.instrument.id
      if (instrumentId === undefined) continue
      const stored = Object.entries(bars).flatMap(([period, list]) =>
        list.map((candle) => ({ instrumentId, period, candle }) as StoredCandle),
      )
      await candles.add(stored)
    }
  }
}

/** Repeats a task with a pause between its runs, never two at a time. */
function createLoop(pauseMs: number, task: () => Promise<void>): { start(): void; stop(): Promise<void> } {
  let timer: NodeJS.Timeout | null = null
  let running = Promise.resolve()
  let isStopped = false
  const run = () => {
    running = task().finally(() => {
      if (!isStopped) timer = setTimeout(run, pauseMs)
    })
  }
  return {
    start: () => {
      timer = setTimeout(run, pauseMs)
    },
    stop: async () => {
      isStopped = true
      if (timer) clearTimeout(timer)
      await running
    },
  }
}
