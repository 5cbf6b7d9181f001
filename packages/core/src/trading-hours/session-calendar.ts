import { DAY_MINUTES, fromLocalTime, toLocalTime, weekdayOf, type LocalDay } from './time-zone.ts'

/** Days looked back for the beginning of the present opening; longer than any window. */
const LOOK_BACK_DAYS = 8
/** Days a schedule is followed to find its next opening; beyond them the answer is "never". */
const LOOK_AHEAD_DAYS = 400

/** Open from `opens` (included) to `closes` (excluded), in minutes of the local week; Sunday 00:00 is 0. */
export type WeeklyWindow = {
  /** 0 to 10,079. */
  readonly opens: number
  /** Later than `opens`, at most by a week; past 10,080 when the window runs into the next week. */
  readonly closes: number
}

/**
 * The trading hours of a venue. Windows ascend by `opens`; `always` never closes and knows no holidays.
 *
 * A holiday's date is the venue's local date, and it touches the windows of that trading day:
 * - where every window spans midnight (New York: forex, metals, oil, index futures) a window is the trading day of the
 *   date on which it closes. Christmas takes away the window that closes on the 25th, and the one that opens that evening
 *   stays, for it is the 26th's.
 * - where some windows lie inside a day (shares, Tokyo, Hong Kong, Sydney) a closed date takes away every window that touches
 *   it; night windows on either side too.
 * An early close ends the trading day at its local time: a window running then is cut, one that would open later is gone.
 */
export type TradingSession = {
  readonly name: string
  /** IANA zone of the venue; windows and holidays are on its wall clock, daylight saving included. */
  readonly zone: string
  readonly windows: readonly WeeklyWindow[] | 'always'
  /** Local date → minute of that day at which trading ends early, or null when there is none that day. */
  readonly holidays: ReadonlyMap<LocalDay, number | null>
}

export type SessionCalendar = ReadonlyMap<string, TradingSession>

export type MarketStatus = {
  readonly isOpen: boolean
  /** When the present opening began, epoch ms; null when closed or when the session never closes. */
  readonly openSince: number | null
  /** When the market next opens or closes, epoch ms; null when it never does. */
  readonly changesAt: number | null
}

const ALWAYS_OPEN: MarketStatus = { isOpen: true, openSince: null, changesAt: null }

/** One opening of a market, epoch ms: `opens` included, `closes` excluded. */
type Opening = { readonly opens: number; readonly closes: number }

/**
 * Whether the market of a session is open at `at` (epoch ms), and when that changes. The session `always` is open
 * around the clock without being in the calendar. Throws a RangeError for a session that is not.
 */
export function marketStatus(calendar: SessionCalendar, sessionName: string, at: number): MarketStatus {
  const session = calendar.get(sessionName)
  if (session?.windows === 'always' || (!session && sessionName === 'always')) return ALWAYS_OPEN
  if (!session) throw new RangeError(`the calendar has no session "${sessionName}"`)
  for (const { opens, closes } of openings(session, at)) {
    if (at < opens) return { isOpen: false, openSince: null, changesAt: opens }
    if (at < closes) return { isOpen: true, openSince: opens, changesAt: closes }
  }
  return { isOpen: false, openSince: null, changesAt: null }
}

/** The openings around and after a moment, ascending; windows that touch or overlap are one opening. */
function* openings(session: TradingSession, at: number): Generator<Opening> {
  let current: Opening | null = null
  for (const next of windowsAround(session, at)) {
    if (current && next.opens <= current.closes) {
      current = { opens: current.opens, closes: Math.max(current.closes, next.closes) }
      continue
    }
    if (current) yield current
    current = next
  }
  if (current) yield current
}

function* windowsAround(session: TradingSession, at: number): Generator<Opening> {
  if (session.windows === 'always') return
  const today = toLocalTime(session.zone, at).day
  for (let day = today - LOOK_BACK_DAYS; day <= today + LOOK_AHEAD_DAYS; day++) {
    const sunday = day - weekdayOf(day)
    for (const window of session.windows) {
      if (sunday + Math.floor(window.opens / DAY_MINUTES) !== day) continue
      const opening = openingOf(session, sunday, window)
      if (opening) yield opening
    }
  }
}

/** A window in the week of `sunday`, after the holidays; null when they leave nothing of it. */
function openingOf(session: TradingSession, sunday: LocalDay, window: WeeklyWindow): Opening | null {
  let closes = window.closes
  for (const day of tradingDates(session, sunday, window)) {
    const end = session.holidays.get(day)
    if (end === null) return null
    if (end !== undefined) closes = Math.min(closes, (day - sunday) * DAY_MINUTES + end)
  }
  if (closes <= window.opens) return null
  return { opens: toMoment(session, sunday, window.opens), closes: toMoment(session, sunday, closes) }
}

const toMoment = (session: TradingSession, sunday: LocalDay, minuteOfWeek: number): number =>
  fromLocalTime(session.zone, {
    day: sunday + Math.floor(minuteOfWeek / DAY_MINUTES),
    minute: minuteOfWeek % DAY_MINUTES,
  })

/** The local dates whose holidays touch a window. */
function tradingDates(session: TradingSession, sunday: LocalDay, window: WeeklyWindow): LocalDay[] {
  const first = sunday + Math.floor(window.opens / DAY_MINUTES)
  const last = sunday + lastDate(window)
  if (session.windows !== 'always' && session.windows.every(spansMidnight)) return [last]
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** A window that closes at 00:00 ends on the day before. */
const lastDate = (window: WeeklyWindow): number => Math.floor((window.closes - 1) / DAY_MINUTES)
const spansMidnight = (window: WeeklyWindow): boolean =>
  lastDate(window) > Math.floor(window.opens / DAY_MINUTES)

/** Answers for a session at a time (epoch ms), remembering its present interval: a call per tick costs a comparison. */
export type SessionHours = { readonly status: (sessionName: string, at: number) => MarketStatus }

/** The calendar may change: what was worked out from a session counts only while it is still the one in the calendar. */
export function createMarketHours(calendar: SessionCalendar): SessionHours {
  type Known = {
    readonly session: TradingSession | undefined
    readonly from: number
    readonly status: MarketStatus
  }
  const known = new Map<string, Known>()
  return {
    status(sessionName, at) {
      const session = calendar.get(sessionName)
      const last = known.get(sessionName)
      const isKnown = last && last.session === session && at >= last.from
      if (isKnown && at < (last.status.changesAt ?? Infinity)) return last.status
      const status = marketStatus(calendar, sessionName, at)
      known.set(sessionName, { session, from: status.openSince ?? at, status })
      return status
    },
  }
}
