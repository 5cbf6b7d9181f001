import {
  admit,
  continueSequence,
  createTickGuard,
  expectPrice,
  reopenTicks,
  resumeTicks,
  tickMemory,
  price,
  trustHeld,
  type Instrument,
  type Quote,
  type TickRefusal,
} from '@fairlot/core'
import type { Clock, RawTick } from '../feeds/feed.ts'
import { readTick } from '../feeds/tick-reader.ts'
import type { Catalogue, CatalogueInstrument } from './catalogue.ts'
import type { OpeningHours } from './opening-hours.ts'
import type { LastQuotes } from './quote-store.ts'

/** Between the feeds and the engine: every price is read and judged here, and only accepted ones go on. */
export type TickIntake = {
  take(raw: RawTick): void
  /** The next tick of an instrument follows a jump, or comes from a source that takes over. */
  reopen(code: string): void
  /** An operator's word for the price of a source that is held out of bounds; false when none is held. */
  trust(code: string, source: string): boolean
  /** Refused ticks of an instrument by reason. */
  refusals(instrumentId: number): Readonly<Record<TickRefusal, number>>
  /** Messages about instruments that nobody offers. */
  unknownCount(): number
}

export function createTickIntake(options: {
  catalogue: Catalogue
  hours: OpeningHours
  clock: Clock
  /** Last accepted quotes of the run before: their numbers go on, their prices are what the first tick is measured by. */
  last: LastQuotes
  accept: (quote: Quote) => void
}): TickIntake {
  const { catalogue, hours, clock, accept } = options
  const guard = createTickGuard()
  for (const [instrumentId, seq] of options.last.lastSeq) continueSequence(guard, instrumentId, seq)
  /** By instrument the source of before the start, until its first tick. */
  const sources = new Map<number, string>()
  for (const quote of options.last.quotes) {
    resumeTicks(guard, quote)
    sources.set(quote.instrumentId, quote.source)
  }
  let unknownCount = 0

  /** What has a price to be measured by. */
  const expected = new Set(sources.keys())

  /** The first price of all is measured by the listing, where there is one: also of an instrument that came after the start. */
  function expectFirst({ instrument, referencePrice }: CatalogueInstrument): void {
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
    take: (raw) => {
      const one = catalogue.byCode.get(raw.code)
      const instrument = one?.instrument
      if (one) expectFirst(one)
      const at = clock.now()
      const time = raw.time === null ? null : (clock.fromSource?.(raw.time) ?? raw.time)
      const tick = readTick({ ...raw, time }, instrument, at)
      if (!instrument || tick === 'unknownInstrument') {
        unknownCount += 1
      } else if (tick === 'notANumber') {
        tickMemory(guard, instrument.id).refusals.notANumber += 1
      } else {
        noteSource(instrument, tick.source)
        const { openSince } = hours.status(instrument, at)
        const admission = admit(guard, instrument, tick, { at, openSince })
        if (admission.accepted) accept(admission.quote)
      }
    },
    reopen: (code) => {
      const listed = catalogue.byCode.get(code)
      if (listed) reopenTicks(guard, listed.instrument.id)
    },
    trust: (code, source) => {
      const listed = catalogue.byCode.get(code)
      return listed !== undefined && trustHeld(guard, listed.instrument.id, source)
    },
    refusals: (instrumentId) => tickMemory(guard, instrumentId).refusals,
    unknownCount: () => unknownCount,
  }
}
