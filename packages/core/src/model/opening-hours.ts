import type { Instrument } from './instrument.ts'
import { createMarketHours, type MarketStatus, type SessionCalendar } from '../calendar/trading-session.ts'
import type { InstrumentSource } from './terms.ts'

type Sources = ReadonlyMap<number, InstrumentSource>

/**
 * When an instrument trades, by the calendar and by the hours of its source: the one in force, or the one that is
 * given. `at` is epoch ms on the market clock.
 */
export type OpeningHours = (instrument: Instrument, at: number, source?: InstrumentSource) => MarketStatus

/**
 * The hours of every instrument. Changes of the maps take effect: a new session is a new object. Throws a RangeError
 * for an instrument with an unknown session.
 */
export function openingHours(calendar: SessionCalendar, sources: Sources): OpeningHours {
  const hours = createMarketHours(calendar)
  return (instrument, at, source = sources.get(instrument.id)) => {
    const isAlways = source?.hours === 'always'
    return hours.status(isAlways ? 'always' : instrument.session, at)
  }
}

/** The same as a plain yes or no. */
export function openBy(calendar: SessionCalendar, sources: Sources) {
  const hours = openingHours(calendar, sources)
  return (instrument: Instrument, at: number): boolean => hours(instrument, at).isOpen
}
