import type { InstrumentSource } from '@fairlot/core'
import type { Feed } from './feed.ts'

/** What MARKET_HOURS says; null lets simulated prices run around the clock and keeps real hours for all others. */
export type MarketHours = 'always' | 'real' | null

/** What an instrument's prices come from, as a term. Without a feed it has none. */
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
