import {
  admit,
  admitReference,
  continueSequence,
  createTickGuard,
  DEPLOYMENT,
  expectPrice,
  isInSession,
  price,
  reopenTicks,
  resumeTicks,
  tickMemory,
  type Instrument,
  type InstrumentSource,
  type Price,
  type Quote,
  type ReferenceAdmitted,
  type Tick,
  type TickGuard,
  type TickRefusal,
} from '@fairlot/core'
import type { Engine } from '../engine/engine.ts'
import { isSameSource, readTick, sourceBy, type Clock, type MarketHours, type RawTick } from './feeds/feed.ts'
import type { OpenFeeds } from './feeds/open-feeds.ts'
import type { InstrumentRegistry, OpeningHours, RegisteredInstrument } from './instrument-registry.ts'
import type { LastQuotes } from './quote-store.ts'
import {
  createTickRecords,
  type HeldTick,
  type KeptTickRecords,
  type RefusedTicks,
  type TickRecords,
} from './refused-ticks.ts'

/** Between the feeds and the engine: reads and checks every price, and passes on accepted ones. */
export type TickIntake = {
  /** `source`: what is known of the sender, whose hours count although the terms may not name it yet. */
  take(raw: RawTick, source?: InstrumentSource): void
  /** The next tick of an instrument follows a jump, or comes from a source that takes over. */
  reopen(code: string): void
  /** The newest refused prices of each instrument, and the held ones. */
  readonly records: TickRecords
  /** True if a price is still held, and its instrument still has the same digits. */
  isWaiting(held: HeldTick): boolean
  /** The last market price, to which the tenfold bound refers; null before the first one. */
  marketPriceOf(instrumentId: number): { readonly bid: Price; readonly ask: Price } | null
  /** Makes a held price, admitted by two operators and journaled, the reference of the next price. */
  admit(held: HeldTick): void
  /** Refused ticks of an instrument by reason, including earlier runs. */
  refusals(instrumentId: number): Readonly<Record<TickRefusal, number>>
  /** Messages about unlisted instruments. */
  unknownCount(): number
}

type TickIntakeOptions = {
  registry: InstrumentRegistry
  hours: OpeningHours
  clock: Clock
  /** Last accepted quotes of the previous run: numbering continues, and the first ticks are checked against them. */
  last: LastQuotes
  /** Counts of refused ticks of earlier runs, which are continued. */
  refused: RefusedTicks
  /** Records of refused prices of earlier runs. */
  records: KeptTickRecords
  /** References admitted by operators and not yet confirmed by ticks, from the journal. */
  admitted: ReadonlyMap<number, ReferenceAdmitted>
  accept: (quote: Quote) => void
}

export function createTickIntake(options: TickIntakeOptions): TickIntake {
  const { registry, clock } = options
  const { guard, sources } = openGuard(options)
  let { unknownCount } = options.refused
  const records = createTickRecords(options.records)
  const judge = createJudge(options, guard, records)

  /** Instruments that have a reference price. */
  const expected = new Set(sources.keys())

  /** The very first price of an instrument is checked against the reference price of its listing, if it has one. */
  function expectFirst({ instrument, referencePrice }: RegisteredInstrument): void {
    if (expected.has(instrument.id)) return
    expected.add(instrument.id)
    if (referencePrice > 0) expectPrice(guard, instrument.id, price(referencePrice))
  }

  function noteSource({ id }: Instrument, source: string): void {
    const before = sources.get(id)
    if (before === undefined) return
    sources.delete(id)
    if (before !== source) reopenTicks(guard, id)
  }

  return {
    records,
    take: (raw, source) => {
      const one = registry.byCode.get(raw.code)
      const instrument = one?.instrument
      if (one) expectFirst(one)
      const at = clock.now()
      const time = raw.time === null ? null : (clock.fromSource?.(raw.time) ?? raw.time)
      const tick = readTick({ ...raw, time }, instrument, at)
      if (!instrument || tick === 'unknownInstrument') {
        unknownCount += 1
      } else if (tick === 'notANumber') {
        tickMemory(guard, instrument.id).refusals.notANumber += 1
        records.refused({ instrument, raw, tick: null, at, reason: tick })
      } else {
        noteSource(instrument, tick.source)
        const reason = judge(instrument, tick, { at, source })
        // Outside hours sources send what they like: it is counted, but would fill the list of refused prices.
        if (reason && reason !== 'outsideHours') records.refused({ instrument, raw, tick, at, reason })
      }
    },
    isWaiting: (held) =>
      records.held().includes(held) &&
      held.priceDecimals === registry.byId.get(held.instrumentId)?.instrument.priceDecimals,
    marketPriceOf: (instrumentId) => {
      const { market } = tickMemory(guard, instrumentId)
      return market && { bid: market.bid, ask: market.ask }
    },
    admit: (held) => {
      admitReference(guard, held.instrumentId, held)
      records.settle(held.instrumentId)
    },
    reopen: (code) => {
      const listed = registry.byCode.get(code)
      if (listed) reopenTicks(guard, listed.instrument.id)
    },
    refusals: (instrumentId) => tickMemory(guard, instrumentId).refusals,
    unknownCount: () => unknownCount,
  }
}

/** The guard as of the previous run, and by instrument its last source, until the first tick. */
function openGuard({ last, refused, admitted }: TickIntakeOptions) {
  const guard = createTickGuard()
  for (const [instrumentId, seq] of last.lastSeq) continueSequence(guard, instrumentId, seq)
  const sources = new Map<number, string>()
  for (const quote of last.quotes) {
    resumeTicks(guard, quote)
    sources.set(quote.instrumentId, quote.source)
  }
  for (const [instrumentId, reference] of admitted)
    admitReference(guard, instrumentId, reference, reference.market)
  continueCounts(guard, refused)
  return { guard, sources }
}

/** Checks ticks with the guard and passes accepted ones on; returns the reason of a refusal, or null. */
function createJudge(
  { hours, accept }: Pick<TickIntakeOptions, 'hours' | 'accept'>,
  guard: TickGuard,
  records: TickRecords,
) {
  return (
    instrument: Instrument,
    tick: Tick,
    { at, source }: { at: number; source: InstrumentSource | undefined },
  ): TickRefusal | null => {
    const status = hours.status(instrument, at, source)
    const { openSince } = status
    const isOpen = isInSession(status, tick.time)
    const admission = admit(guard, instrument, tick, { at, openSince, isOpen })
    if (!admission.accepted) return admission.reason
    records.settle(instrument.id)
    accept(admission.quote)
    return null
  }
}

/** Continues the counts of earlier runs. */
function continueCounts(guard: TickGuard, { byInstrument }: RefusedTicks): void {
  for (const [instrumentId, counts] of byInstrument)
    Object.assign(tickMemory(guard, instrumentId).refusals, counts)
}

/**
 * Called with every price before the intake: the first one of another source changes the terms, since hours and freshness
 * depend on the source. Answers what is known of the source; undefined for an unlisted instrument.
 */
export function watchSourceSwitches(options: {
  engine: Pick<Engine, 'state' | 'execute'>
  registry: InstrumentRegistry
  feeds: OpenFeeds
  marketHours: MarketHours
}): (tick: RawTick) => InstrumentSource | undefined {
  const { engine, registry, feeds, marketHours } = options
  const last = new Map<string, { readonly name: string; readonly source: InstrumentSource }>()
  return ({ code, source: name }) => {
    const known = last.get(code)
    if (known?.name === name) return known.source
    const instrument = registry.byCode.get(code)?.instrument
    if (!instrument) return undefined
    // The router knows the instruments of the start; for later ones it is the feed that sends the price.
    const feed = feeds.feedOf(code) ?? feeds.feeds.find((one) => one.name === name) ?? null
    const isOrdered = (instrument.sourceOrder ?? []).length > 0
    const source = { ...sourceBy(feed, code, marketHours), ...(isOrdered && { name }) }
    last.set(code, { name, source })
    const before = engine.state().sources.get(instrument.id)
    // Where sources replace each other, each switch is reported, even between two of one kind.
    if (isSameSource(before, source) && (!isOrdered || before?.name === name)) return source
    const change = { kind: 'source' as const, instrumentId: instrument.id, source }
    void engine
      .execute({ type: 'setTerms', change, effectiveAt: null, by: DEPLOYMENT })
      // After a failure it is tried again with the next price.
      .then((answer) => !('entry' in answer) && last.delete(code))
    return source
  }
}
