import type { TradingSession, WeeklyWindow } from './session-calendar.ts'
import { DAY_MINUTES, localDayText, parseLocalDay, zoneOffsetMs, type LocalDay } from './time-zone.ts'

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MOMENT = '(Sun|Mon|Tue|Wed|Thu|Fri|Sat) ((?:[01]\\d|2[0-3]):[0-5]\\d)'
const WINDOW = new RegExp(`^${MOMENT}-${MOMENT}$`)
const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/

/** A schedule as it is written down. */
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

/** Reads a schedule. Throws a RangeError that names what it cannot read: zone, window or holiday. */
export function defineSession({ name, zone, windows, holidays }: SessionText): TradingSession {
  zoneOffsetMs(zone, 0)
  return {
    name,
    zone,
    windows: windows.trim() === 'always' ? 'always' : readWindows(windows),
    holidays: new Map(holidays.map(readHoliday)),
  }
}

/** Writes a schedule as it is read. */
export const sessionText = ({ name, zone, windows, holidays }: TradingSession): SessionText => ({
  ...{ name, zone },
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
