import { createMarketHours, type Instrument, type MarketStatus, type SessionCalendar } from '@fairlot/core'
import type { Feed } from '../feeds/feed.ts'

/** When each instrument trades in this deployment. */
export type OpeningHours = {
  /** `at` is epoch ms on the market clock. */
  status(instrument: Instrument, at: number): MarketStatus
  isOpen(instrument: Instrument, at: number): boolean
}

/**
 * The calendar, seen through MARKET_HOURS: null lets simulated prices run around the clock and keeps real hours for all
 * others; `always` and `real` speak for every feed.
 */
export function createOpeningHours(
  calendar: SessionCalendar,
  marketHours: 'always' | 'real' | null,
  feedOf: (code: string) => Feed | null,
): OpeningHours {
  const hours = createMarketHours(calendar)
  const sessionOf = (instrument: Instrument): string => {
    const isAlways =
      marketHours === 'always' || (marketHours === null && isSimulated(feedOf(instrument.code)))
    return isAlways ? 'always' : instrument.session
  }
  const status = (instrument: Instrument, at: number) => hours.status(sessionOf(instrument), at)
  return { status, isOpen: (instrument, at) => status(instrument, at).isOpen }
}

const isSimulated = (feed: Feed | null): boolean => feed?.kind === 'simulated'
