import type { QuoteUpdate } from '@fairlot/contract'
import { freshnessOf, type Quote, type State } from '@fairlot/core'
import type { Queries } from '../database/open.ts'
import type { Engine } from '../engine/engine.ts'
import { createSignal, type Subscribe } from '../engine/signal.ts'
import type { OpenFeeds } from '../feeds/open-feeds.ts'
import type { Clock, FeedInstrument, FeedKind, RawTick } from '../feeds/feed.ts'
import type { MarketHours } from '../feeds/instrument-source.ts'
import { createBackfill } from './backfill.ts'
import { createCandleBuilder, type CandleBuilder } from './candle-builder.ts'
import { loadFirstTimes, loadNewestCandles } from './candle-store.ts'
import type { InstrumentRegistry, OpeningHours } from './instrument-registry.ts'
import { quoteUpdate } from './listing.ts'
import { numberInstruments, saveQuotes, type LastQuotes } from './quote-store.ts'
import { createRefusedTickSaving, loadRefusedTicks } from './refused-tick-store.ts'
import { createTickRecordSaving, loadTickRecords } from './tick-record-store.ts'
import { createRefusedTicksReport, unbookableReport } from './operator-reports.ts'
import { watchSourceSwitches } from './source-switch.ts'
import { createTickIntake, type TickIntake } from './tick-intake.ts'

/** How often bars and quotes go to the database, ms. A crash loses no more than this of them. */
const FLUSH_MS = 1_000

/** The published prices: from the feeds through the guard into the engine, and on into bars. */
export type Market = {
  readonly registry: InstrumentRegistry
  readonly candles: CandleBuilder
  readonly hours: OpeningHours
  readonly intake: TickIntake
  readonly feeds: OpenFeeds['feeds']
  /** Told when other prices wait for an operator's word than before. */
  readonly onHeld: Subscribe<void>
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
  /** When the bars of an instrument begin whose source has no past of its own, epoch ms; null for all others. */
  barsSince(instrumentId: number): number | null
  /** Starts the feeds; the past of those that have one goes in first. */
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
    ...{ queries, registry, newest, firstTimes: await loadFirstTimes(queries, newest), sourceOf, onError },
    kindOf: (source) => feeds.feeds.find(({ name }) => name === source)?.kind ?? null,
  })
  const refused = await loadRefusedTicks(queries)
  const intake = createTickIntake({
    ...{ registry, hours, clock, last, refused, records: await loadTickRecords(queries) },
    accept: (quote) => engine.tick(quote),
  })
  const watch = watchSourceSwitches({ engine, registry, feeds, marketHours: options.marketHours })
  const backfill = createBackfill({
    ...{ feeds, registry, feedInstruments: options.feedInstruments, candles, newest, onError },
  })
  const take = (tick: RawTick) => {
    watch(tick)
    backfill.watch(tick)
    intake.take(tick)
  }
  const number = createNumbering(queries, registry)
  engine.onQuote(candles.fold)
  const held = createSignal<void>((error) => onError(error, 'telling of held prices'))
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
    clockJump: () => jumpNote(clock),
    withheld: () => unbookableReport(engine.core()),
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

/** Writes all that has changed since the last time. */
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
    // Taken first: what is saved of prices is never ahead of the bars.
    const save = takeMoved()
    await parts.number()
    await parts.candles.flush()
    await save()
    await saveRefused()
    await saveRecords()
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
function createNumbering(queries: Queries, registry: InstrumentRegistry): () => Promise<void> {
  const numbered = new Set<number>()
  return async () => {
    const fresh = [...registry.byId.keys()].filter((id) => !numbered.has(id))
    await numberInstruments(queries, fresh)
    for (const id of fresh) numbered.add(id)
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
