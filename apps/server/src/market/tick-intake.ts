import {
  admit,
  continueSequence,
  createTickGuard,
  reopenTicks,
  tickMemory,
  type Quote,
  type TickRefusal,
} from '@fairlot/core'
import type { Clock, RawTick } from '../feeds/feed.ts'
import { readTick } from '../feeds/tick-reader.ts'
import type { Catalogue } from './catalogue.ts'
import type { OpeningHours } from './opening-hours.ts'
import type { LastQuotes } from './quote-store.ts'

/** Between the feeds and the engine: every price is read and judged here, and only accepted ones go on. */
export type TickIntake = {
  take(raw: RawTick): void
  /** The next tick of an instrument follows a jump and has no reference. */
  reopen(code: string): void
  /** Refused ticks of an instrument by reason. */
  refusals(instrumentId: number): Readonly<Record<TickRefusal, number>>
  /** Messages about instruments that nobody offers. */
  unknownCount(): number
}

export function createTickIntake(options: {
  catalogue: Catalogue
  hours: OpeningHours
  clock: Clock
  /** Last accepted quotes of the run before: their numbers go on, their prices are the first reference. */
  last: LastQuotes
  accept: (quote: Quote) => void
}): TickIntake {
  const { catalogue, hours, clock, accept } = options
  const guard = createTickGuard()
  for (const [instrumentId, seq] of options.last.lastSeq) continueSequence(guard, instrumentId, seq)
  for (const quote of options.last.quotes) tickMemory(guard, quote.instrumentId).last = quote
  let unknownCount = 0

  return {
    take: (raw) => {
      const instrument = catalogue.byCode.get(raw.code)?.instrument
      const at = clock.now()
      const tick = readTick(raw, instrument, at)
      if (!instrument || tick === 'unknownInstrument') {
        unknownCount += 1
      } else if (tick === 'notANumber') {
        tickMemory(guard, instrument.id).refusals.notANumber += 1
      } else {
        const { openSince } = hours.status(instrument, at)
        const admission = admit(guard, instrument, tick, { at, openSince })
        if (admission.accepted) accept(admission.quote)
      }
    },
    reopen: (code) => {
      const listed = catalogue.byCode.get(code)
      if (listed) reopenTicks(guard, listed.instrument.id)
    },
    refusals: (instrumentId) => tickMemory(guard, instrumentId).refusals,
    unknownCount: () => unknownCount,
  }
}
