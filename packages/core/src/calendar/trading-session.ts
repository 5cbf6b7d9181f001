import {
  DAY_MINUTES,
  fromLocalTime,
  type LocalDay,
  localDayText,
  parseLocalDay,
  toLocalTime,
  weekdayOf,
  zoneOffsetMs,
} from './time-zone.ts'

/** Days searched back for the start of the current opening; longer than any window. */
const LOOK_BACK_DAYS = 8
/** Days searched ahead for the next opening; beyond them there is none. */
const LOOK_AHEAD_DAYS = 400

/** Open from `opens` (included) to `closes` (excluded), in minutes of the local week; Sunday 00:00 is 0. */
export type WeeklyWindow = {
  /** 0 to 10,079. */
  readonly opens: number
  /** Later than `opens`, at most by a week; past 10,080 when the window runs into the next week. */
  readonly closes: number
}

/**
 * The trading hours of a venue. Windows ascend by `opens`; `always` never closes and has no holidays. A holiday is
 * the venue's local date and affects the windows of that trading day: (1) where every window spans midnight (New
 * York: forex, metals, oil, index futures), a window belongs to the date on which it closes. Christmas removes the
 * window that closes on the 25th, and keeps the one that opens that evening, which belongs to the 26th. (2) Where
 * some windows lie within a day (shares, Tokyo, Hong Kong, Sydney), a closed date removes every window that overlaps
 * it, including night windows on either side. An early close ends the trading day at its local time: a window open
 * then is cut, a later one is removed.
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
  /** When the current opening began, epoch ms; null when closed or when the session never closes. */
  readonly openSince: number | null
  /** When the market next opens or closes, epoch ms; null when it never does. */
  readonly changesAt: number | null
}

/**
 * Whether a price of `time` (epoch ms, by its source) belongs to the session of a status: it is open, and has been since
 * that time. One of before the opening or after the close would begin a candle of a day without trading.
 */
export const isInSession = ({ isOpen, openSince, changesAt }: MarketStatus, time: number): boolean =>
  isOpen && time >= (openSince ?? -Infinity) && time < (changesAt ?? Infinity)

const ALWAYS_OPEN: MarketStatus = { isOpen: true, openSince: null, changesAt: null }

/** One opening of a market, epoch ms: `opens` included, `closes` excluded. */
type Opening = { readonly opens: number; readonly closes: number }

/**
 * Whether the market of a session is open at `at` (epoch ms), and when that changes. The session `always` is always
 * open and need not be in the calendar. Throws a RangeError for an unknown session.
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

/** The openings around and after a moment, ascending; adjacent or overlapping windows are one opening. */
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

/** A window in the week of `sunday`, after holidays; null when they remove it. */
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

/** The local dates whose holidays affect a window. */
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

/**
 * The status of a session at a time (epoch ms), with a cache of the current interval: a call per tick costs one
 * comparison.
 */
export type SessionHours = { readonly status: (sessionName: string, at: number) => MarketStatus }

/** The calendar may change: a cached result is valid only for the session object it was computed from. */
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

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MOMENT = '(Sun|Mon|Tue|Wed|Thu|Fri|Sat) ((?:[01]\\d|2[0-3]):[0-5]\\d)'
const WINDOW = new RegExp(`^${MOMENT}-${MOMENT}$`)
const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/

/** A schedule as text. */
export type SessionText = {
  readonly name: string
  /** IANA zone of the venue. */
  readonly zone: string
  /** "Sun 17:05-Mon 16:55; Mon 17:05-Tue 16:55", or "always". */
  readonly windows: string
  readonly holidays: readonly HolidayText[]
}

/** `date` is the venue's local "YYYY-MM-DD"; `closesAt` its local "HH:MM", null for a whole closed day. */
export type HolidayText = { readonly date: string; readonly closesAt: string | null }

/** Parses a schedule. Throws a RangeError that names an invalid zone, window or holiday. */
export function defineSession({ name, zone, windows, holidays }: SessionText): TradingSession {
  zoneOffsetMs(zone, 0)
  return {
    name,
    zone,
    windows: windows.trim() === 'always' ? 'always' : readWindows(windows),
    holidays: new Map(holidays.map(readHoliday)),
  }
}

/** Formats a schedule as it is parsed. */
export const sessionText = ({ name, zone, windows, holidays }: TradingSession): SessionText => ({
  name,
  zone,
  windows: windows === 'always' ? windows : windows.map(writeWindow).join('; '),
  holidays: [...holidays].map(([day, minute]) => ({
    date: localDayText(day),
    closesAt: minute === null ? null : writeTime(minute),
  })),
})

const writeWindow = ({ opens, closes }: WeeklyWindow): string =>
  `${writeMoment(opens)}-${writeMoment(closes)}`

const writeMoment = (minute: number): string =>
  `${WEEKDAYS[Math.floor(minute / DAY_MINUTES) % 7] ?? ''} ${writeTime(minute % DAY_MINUTES)}`

const writeTime = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')

const readWindows = (text: string): WeeklyWindow[] =>
  text
    .split(';')
    .map((part) => readWindow(part.trim()))
    .sort((a, b) => a.opens - b.opens)

function readWindow(text: string): WeeklyWindow {
  const [, openDay = '', openTime = '', closeDay = '', closeTime = ''] = WINDOW.exec(text) ?? []
  if (!openDay) throw new RangeError(`"${text}" is no window such as "Sun 17:05-Mon 16:55"`)
  const opens = WEEKDAYS.indexOf(openDay) * DAY_MINUTES + readTime(openTime)
  const closes = WEEKDAYS.indexOf(closeDay) * DAY_MINUTES + readTime(closeTime)
  return { opens, closes: closes > opens ? closes : closes + 7 * DAY_MINUTES }
}

function readHoliday({ date, closesAt }: HolidayText): [LocalDay, number | null] {
  const day = parseLocalDay(date)
  if (day === null) throw new RangeError(`"${date}" is no date such as "2025-12-25"`)
  return [day, closesAt === null ? null : readTime(closesAt)]
}

function readTime(text: string): number {
  const [, hour, minute] = TIME.exec(text) ?? []
  if (hour === undefined) throw new RangeError(`"${text}" is no time such as "16:55"`)
  return Number(hour) * 60 + Number(minute)
}
