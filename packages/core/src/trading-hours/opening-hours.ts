import type { Instrument } from '../terms/instrument.ts'
import { createMarketHours, type MarketStatus, type SessionCalendar } from './session-calendar.ts'
import type { InstrumentSource } from '../terms/terms.ts'

type Sources = ReadonlyMap<number, InstrumentSource>

/** When an instrument trades, by the calendar and by what its source keeps. `at` is epoch ms on the market clock. */
export type OpeningHours = (instrument: Instrument, at: number) => MarketStatus

/**
 * The hours of every instrument. The maps are read anew as they change: a new session is a new object. Throws a RangeError for
 * an instrument whose session the calendar does not have.
 */
export function openingHours(calendar: SessionCalendar, sources: Sources): OpeningHours {
  const hours = createMarketHours(calendar)
  return (instrument, at) => {
    const isAlways = sources.get(instrument.id)?.hours === 'always'
    return hours.status(isAlways ? 'always' : instrument.session, at)
  }
}

/** The same as a plain yes or no. */
export function openBy(calendar: SessionCalendar, sources: Sources) {
  const hours = openingHours(calendar, sources)
  return (instrument: Instrument, at: number): boolean => hours(instrument, at).isOpen
}
