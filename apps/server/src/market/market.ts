import type { QuoteUpdate } from '@fairlot/contract'
import { freshnessOf, type Quote, type State } from '@fairlot/core'
import type { Queries } from '../platform/database/open.ts'
import type { Engine } from '../engine/engine.ts'
import { createEmitter, type Subscribe } from '../platform/emitter.ts'
import type { OpenFeeds } from './feeds/open-feeds.ts'
import type { FeedInstrument, FeedKind, MarketHours, RawTick } from './feeds/feed.ts'
import {
  createBackfill,
  createCandleBuilder,
  loadFirstTimes,
  loadNewestCandles,
  type CandleBuilder,
} from './candles.ts'
import type { InstrumentRegistry, OpeningHours } from './instrument-registry.ts'
import { quoteUpdate } from './listing.ts'
import { numberInstruments, saveQuotes, type LastQuotes } from './quote-store.ts'
import {
  createRefusedTickSaving,
  createTickRecordSaving,
  loadRefusedTicks,
  loadTickRecords,
} from './refused-ticks.ts'
import { clockJumpReport, createRefusedTicksReport, unbookableReport } from './operator-reports.ts'
import { createTickIntake, watchSourceSwitches, type TickIntake } from './tick-intake.ts'
/** Interval at which bars and quotes are saved, ms. A crash loses at most this much of them. */
const FLUSH_MS = 1_000

/** The market's prices: from the feeds through the guard into the engine, and from there into bars. */
export type Market = {
  readonly registry: InstrumentRegistry
  readonly candles: CandleBuilder
  readonly hours: OpeningHours
  readonly intake: TickIntake
  readonly feeds: OpenFeeds['feeds']
  /** Called when the list of held prices has changed. */
  readonly onHeld: Subscribe<void>
  now(): number
  quoteOf(instrumentId: number): Quote | null
  /** Why an operator has halted an instrument; null while it is not halted. */
  haltReasonOf(instrumentId: number): string | null
  /** The kind of source that prices an instrument; null for none. */
  sourceOf(instrumentId: number): FeedKind | null
  /** Longest age at which a quote of an instrument fills orders and triggers stops, ms. */
  freshnessMs(instrumentId: number): number
  /** A price just accepted, as it is pushed; null before the first bar of its instrument. */
  updateOf(quote: Quote): QuoteUpdate | null
  /** Ticks refused since the last call, as a sentence for the operator; null for none. */
  refusedTicks(): string | null
  /** Orders with amounts that could not be booked since the last call, as a sentence for the operator; null for none. */
  deferredOrders(): string | null
  /** A jump of the clock since the last call, as a sentence for the operator; null for none. */
  clockJump(): string | null
  /** The time of an instrument's first bar if its source has no history, epoch ms; else null. */
  barsSince(instrumentId: number): number | null
  /** Adds the history of the feeds, then starts them. */
  start(): Promise<void>
  stop(): Promise<void>
}

export type MarketOptions = {
  readonly queries: Queries
  readonly registry: InstrumentRegistry
  readonly hours: OpeningHours
  readonly feeds: OpenFeeds
  readonly feedInstruments: readonly FeedInstrument[]
  readonly marketHours: MarketHours
  readonly engine: Engine
  readonly last: LastQuotes
  readonly onError: (error: unknown, doing: string) => void
}

export async function createMarket(options: MarketOptions): Promise<Market> {
  const { queries, registry, hours, feeds, engine, last, onError } = options
  const { clock } = feeds
  const newest = await loadNewestCandles(queries)
  const sourceOf = (instrumentId: number) => engine.state().sources.get(instrumentId)?.kind ?? null
  const candles = createCandleBuilder({
    queries,
    registry,
    newest,
    firstTimes: await loadFirstTimes(queries, newest),
    sourceOf,
    onError,
    kindOf: (source) => feeds.feeds.find(({ name }) => name === source)?.kind ?? null,
  })
  const refused = await loadRefusedTicks(queries)
  const intake = createTickIntake({
    registry,
    hours,
    clock,
    last,
    refused,
    records: await loadTickRecords(queries),
    admitted: engine.state().admitted,
    accept: (quote) => engine.tick(quote),
  })
  const watch = watchSourceSwitches({ engine, registry, feeds, marketHours: options.marketHours })
  const backfill = createBackfill({
    feeds,
    registry,
    hours,
    feedInstruments: options.feedInstruments,
    candles,
    newest,
    onError,
  })
  const take = (tick: RawTick) => {
    const source = watch(tick)
    backfill.watch(tick)
    intake.take(tick, source)
  }
  const number = createNumbering(queries, registry)
  engine.onQuote(candles.fold)
  const held = createEmitter<void>((error) => onError(error, 'publishing held prices'))
  const flush = createFlush({ ...options, candles, number, intake, onHeld: () => held.emit() })
  const flushing = createLoop(FLUSH_MS, () =>
    flush().catch((error: unknown) => onError(error, 'writing prices')),
  )

  const quoteOf = (instrumentId: number) => engine.state().quotes.get(instrumentId) ?? null
  return {
    registry,
    candles,
    hours,
    intake,
    feeds: feeds.feeds,
    onHeld: held.subscribe,
    now: () => clock.now(),
    quoteOf,
    haltReasonOf: (instrumentId) => engine.state().halts.get(instrumentId) ?? null,
    sourceOf,
    freshnessMs: (instrumentId) => freshnessIn(engine.state(), instrumentId),
    refusedTicks: createRefusedTicksReport(registry, intake),
    barsSince: (instrumentId) =>
      sourceOf(instrumentId) === 'simulated' ? null : candles.since(instrumentId),
    clockJump: () => clockJumpReport(clock),
    deferredOrders: () => unbookableReport(engine.core()),
    updateOf: (quote) => {
      const instrument = registry.byId.get(quote.instrumentId)?.instrument
      const day = candles.current(quote.instrumentId, '1day')
      const source = sourceOf(quote.instrumentId)
      return instrument && day && source ? quoteUpdate(instrument, quote, day, source) : null
    },
    start: async () => {
      await number()
      await backfill.start()
      for (const feed of feeds.feeds) await feed.start(take, intake.reopen)
      flushing.start()
    },
    stop: async () => {
      for (const feed of feeds.feeds) await feed.stop()
      await backfill.stop()
      await flushing.stop()
      await flush()
    },
  }
}

/** Writes everything that has changed since the last call. */
function createFlush(
  parts: Pick<MarketOptions, 'queries' | 'registry' | 'engine'> & {
    readonly candles: CandleBuilder
    readonly number: () => Promise<void>
    readonly intake: TickIntake
    readonly onHeld: () => void
  },
): () => Promise<void> {
  const takeMoved = createSaving(parts.queries, parts.engine)
  const saveRefused = createRefusedTickSaving(parts.queries, parts.registry, parts.intake)
  const saveRecords = createTickRecordSaving(parts.queries, parts.intake.records, parts.onHeld)
  return async () => {
    // Taken first, so that saved quotes are never ahead of the bars.
    const save = takeMoved()
    await parts.number()
    await parts.candles.flush()
    await save()
    await saveRefused()
    await saveRecords()
  }
}

function freshnessIn(state: State, instrumentId: number): number {
  const instrument = state.instruments.get(instrumentId)
  return instrument ? freshnessOf(state, instrument) : state.settings.freshnessMs
}

/** Takes the quotes that have changed since they were saved, and returns a function that saves them. */
function createSaving(queries: Queries, engine: Pick<Engine, 'onQuote'>): () => () => Promise<void> {
  const moved = new Map<number, Quote>()
  engine.onQuote((quote) => moved.set(quote.instrumentId, quote))
  return () => {
    const quotes = [...moved.values()]
    return async () => {
      await saveQuotes(queries, quotes)
      // Quotes that changed during the write stay unsaved.
      for (const quote of quotes)
        if (moved.get(quote.instrumentId) === quote) moved.delete(quote.instrumentId)
    }
  }
}

/** Reserves price numbers for every instrument on disk; a repeated call handles only new instruments. */
function createNumbering(queries: Queries, registry: InstrumentRegistry): () => Promise<void> {
  const numbered = new Set<number>()
  return async () => {
    const fresh = [...registry.byId.keys()].filter((id) => !numbered.has(id))
    await numberInstruments(queries, fresh)
    for (const id of fresh) numbered.add(id)
  }
}

/** Repeats a task with a pause between two runs. */
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
