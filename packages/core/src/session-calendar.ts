import {
  fromLocalTime,
  parseLocalDay,
  toLocalTime,
  weekdayOf,
  zoneOffsetMs,
  type LocalDay,
} from './time-zone.ts'

const DAY_MINUTES = 1440
const WEEK_MINUTES = 7 * DAY_MINUTES
/** How far a schedule is followed to find its next change; beyond it the answer is "never". */
const HORIZON_DAYS = 400

/** Open from `opens` (included) to `closes` (excluded), in minutes of the local week; Sunday 00:00 is 0. */
export type WeeklyWindow = {
  /** 0 to 10,079. */
  readonly opens: number
  /** Later than `opens`, at most a week; past 10,080 when the window runs into the next week. */
  readonly closes: number
}

/** `always`: never closes and knows no holidays. */
export type Session = {
  readonly name: string
  /** IANA zone of the venue; the windows and holidays are on its wall clock, daylight saving included. */
  readonly zone: string
  readonly windows: readonly WeeklyWindow[] | 'always'
  /** Local date → minute of the day at which trading ends early, or null when there is none that day. */
  readonly holidays: ReadonlyMap<LocalDay, number | null>
}

export type SessionCalendar = ReadonlyMap<string, Session>

export type MarketStatus = {
  readonly isOpen: boolean
  /** When the present opening began, epoch ms; null when closed or when the session never closes. */
  readonly openSince: number | null
  /** When the market next opens or closes, epoch ms; null when it never does. */
  readonly changesAt: number | null
}

/** A schedule as it is written down: windows "Sun 17:05-Mon 16:55; Mon 17:05-Tue 16:55" or "always". */
export type SessionText = {
  readonly name: string
  readonly zone: string
  readonly windows: string
  /** `date` is the venue's local "YYYY-MM-DD"; `closesAt` its local "HH:MM", null for a whole closed day. */
  readonly holidays: readonly { readonly date: string; readonly closesAt: string | null }[]
}

/** Reads a schedule. Throws a RangeError that names the part it cannot read. */
export function defineSession(text: SessionText): Session {
  throw new RangeError(text.name)
}

/**
 * Whether the market of a session is open at `at` (epoch ms), and when that changes. The session `always` is open
 * around the clock without being in the calendar. Throws a RangeError for an unknown session.
 */
export function marketStatus(calendar: SessionCalendar, sessionName: string, at: number): MarketStatus {
  throw new RangeError(`${calendar.size}${sessionName}${at}`)
}

/** Remembers the present interval of each session, so that a call per tick costs a comparison. */
export type MarketHours = { readonly status: (sessionName: string, at: number) => MarketStatus }

export function createMarketHours(calendar: SessionCalendar): MarketHours {
  return { status: (sessionName, at) => marketStatus(calendar, sessionName, at) }
}
