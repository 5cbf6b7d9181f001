import {
  admit,
  continueSequence,
  createTickGuard,
  expectPrice,
  reopenTicks,
  resumeTicks,
  tickMemory,
  price,
  vouchFor,
  type Instrument,
  type Quote,
  type Tick,
  type TickGuard,
  type TickRefusal,
} from '@fairlot/core'
import type { Clock, RawTick } from '../feeds/feed.ts'
import { readTick } from '../feeds/tick-reader.ts'
import type { InstrumentRegistry, OpeningHours, RegisteredInstrument } from './instrument-registry.ts'
import type { LastQuotes } from './quote-store.ts'
import { createTickRecords, type HeldTick, type KeptTickRecords, type TickRecords } from './tick-records.ts'
import type { RefusedTicks } from './refused-tick-store.ts'

/** Between the feeds and the engine: every price is read and judged here, and only accepted ones go on. */
export type TickIntake = {
  take(raw: RawTick): void
  /** The next tick of an instrument follows a jump, or comes from a source that takes over. */
  reopen(code: string): void
  /** The newest refused prices of each instrument, and those that wait for an operator's word. */
  readonly records: TickRecords
  /**
   * An operator's word for a price that a source has sent and that is held: the next is measured by it. While it is fresh it is
   * offered once more itself, by the way of every price. Null when it does not wait any more.
   */
  admit(held: HeldTick, freshnessMs: number): 'accepted' | 'nextTick' | null
  /** Refused ticks of an instrument by reason, those of the runs before too. */
  refusals(instrumentId: number): Readonly<Record<TickRefusal, number>>
  /** Messages about instruments that nobody offers. */
  unknownCount(): number
}

export type TickIntakeOptions = {
  registry: InstrumentRegistry
  hours: OpeningHours
  clock: Clock
  /** Last accepted quotes of the run before: their numbers go on, their prices are what the first tick is measured by. */
  last: LastQuotes
  /** What was refused in the runs before: the counts go on. */
  refused: RefusedTicks
  /** What the runs before have kept of them. */
  records: KeptTickRecords
  accept: (quote: Quote) => void
}

export function createTickIntake(options: TickIntakeOptions): TickIntake {
  const { registry, clock } = options
  const { guard, sources } = openGuard(options)
  let { unknownCount } = options.refused
  const records = createTickRecords(options.records)
  const { judge, admitHeld } = createJudge(options, guard, records)

  /** What has a price to be measured by. */
  const expected = new Set(sources.keys())

  /** The first price of all is measured by the listing, where there is one: also of an instrument that came after the start. */
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
    take: (raw) => {
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
        const reason = judge(instrument, tick, at)
        if (reason) records.refused({ instrument, raw, tick, at, reason })
      }
    },
    admit: admitHeld,
    reopen: (code) => {
      const listed = registry.byCode.get(code)
      if (listed) reopenTicks(guard, listed.instrument.id)
    },
    refusals: (instrumentId) => tickMemory(guard, instrumentId).refusals,
    unknownCount: () => unknownCount,
  }
}

/** The guard as the run before has left it, and by instrument the source of then, until its first tick. */
function openGuard({ last, refused }: TickIntakeOptions) {
  const guard = createTickGuard()
  for (const [instrumentId, seq] of last.lastSeq) continueSequence(guard, instrumentId, seq)
  const sources = new Map<number, string>()
  for (const quote of last.quotes) {
    resumeTicks(guard, quote)
    sources.set(quote.instrumentId, quote.source)
  }
  countOn(guard, refused)
  return { guard, sources }
}

/** The one way in, for what a source has just sent and for what an operator vouches for. */
function createJudge(
  { registry, hours, clock, accept }: TickIntakeOptions,
  guard: TickGuard,
  records: TickRecords,
) {
  /** Judges a tick; accepted, it goes on. */
  function judge(instrument: Instrument, tick: Tick, at: number): TickRefusal | null {
    const { openSince } = hours.status(instrument, at)
    const admission = admit(guard, instrument, tick, { at, openSince })
    if (!admission.accepted) return admission.reason
    records.settle(instrument.id)
    accept(admission.quote)
    return null
  }

  function admitHeld(held: HeldTick, freshnessMs: number): 'accepted' | 'nextTick' | null {
    const instrument = registry.byId.get(held.instrumentId)?.instrument
    const isWaiting = records.held().includes(held) && held.priceDecimals === instrument?.priceDecimals
    if (!instrument || !isWaiting) return null
    const at = clock.now()
    vouchFor(guard, instrument.id, held)
    const isAccepted = at - held.at <= freshnessMs && judge(instrument, held, at) === null
    records.settle(instrument.id)
    return isAccepted ? 'accepted' : 'nextTick'
  }

  return { judge, admitHeld }
}

/** Goes on counting where the runs before have stopped. */
function countOn(guard: TickGuard, { byInstrument }: RefusedTicks): void {
  for (const [instrumentId, counts] of byInstrument)
    Object.assign(tickMemory(guard, instrumentId).refusals, counts)
}
