import { DEPLOYMENT } from '../author.ts'
import type { Entry, Event } from '../event.ts'
import { evolve } from '../evolve.ts'
import type { Instrument } from './instrument.ts'
import type { SessionText } from '../trading-hours/session-text.ts'
import { createCore, type Core, type Host } from '../core.ts'
import type { InstrumentSource, Listing, TermsChange, TradingSettings } from './terms.ts'

/** The terms that a deployment begins with. */
export type Seed = {
  readonly settings: TradingSettings
  readonly instruments: readonly Instrument[]
  readonly listings?: ReadonlyMap<number, Listing>
  readonly sessions?: readonly SessionText[]
  readonly sources?: ReadonlyMap<number, InstrumentSource>
}

/** The first entry of a journal: every term it begins with, in force at once. `at` is epoch ms. */
export function seedTerms(seed: Seed, at: number): Entry {
  const changes: TermsChange[] = [
    { kind: 'settings', settings: seed.settings },
    ...(seed.sessions ?? []).map((session) => ({ kind: 'calendar' as const, session })),
    ...seed.instruments.map((instrument) => ({
      kind: 'instrument' as const,
      instrument,
      listing: seed.listings?.get(instrument.id) ?? null,
    })),
    ...[...(seed.sources ?? [])].map(([instrumentId, source]) => ({
      kind: 'source' as const,
      instrumentId,
      source,
    })),
  ]
  const events: Event[] = changes.map((change, index) => ({
    type: 'termsSet',
    changeId: index + 1,
    effectiveAt: at,
    change,
  }))
  return { at, author: DEPLOYMENT, request: null, events }
}

/** A core that knows its terms and nothing else. */
export function seededCore(seed: Seed, host: Host = {}): Core {
  const core = createCore(host)
  evolve(core, seedTerms(seed, 0))
  return core
}
