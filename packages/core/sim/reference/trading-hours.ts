/** Opening hours in the reference model: the venue's local time looked up in the windows as written. */
import type { HolidayText, InstrumentSource, SessionText } from '../../src/index.ts'

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const QUARTER_MS = 900_000
const HOUR_MS = 3_600_000
const WEEK_MINUTES = 7 * 1440

type Wall = { readonly date: string; readonly minuteOfWeek: number }

/** A moment at which it is 17:00 in New York. */
export type NewYorkClose = { readonly at: number; readonly weekday: string }

type Traded = { readonly id: number; readonly session: string }

export type ReferenceHours = {
  /** By schedule and holidays, unless its source never closes. */
  readonly isOpen: (instrument: Traded, at: number) => boolean
  /**
   * True when the market was closed at some moment from `from` to `until` (both included), checked minute by minute.
   */
  readonly hasClosed: (instrument: Traded, from: number, until: number) => boolean
  /** Every 17:00 New York after `from` and up to `until`. */
  readonly closesBetween: (from: number, until: number) => NewYorkClose[]
  /** Adds a schedule, or replaces the one with its name. */
  readonly define: (session: SessionText) => void
  readonly sessionOf: (name: string) => SessionText | undefined
  readonly setSource: (instrumentId: number, source: InstrumentSource) => void
  readonly sourceOf: (instrumentId: number) => InstrumentSource | undefined
}

export function createReferenceHours(): ReferenceHours {
  const schedules = new Map<string, Schedule>()
  const sources = new Map<number, InstrumentSource>()
  const isOpen: ReferenceHours['isOpen'] = ({ id, session }, at) => {
    const schedule = schedules.get(session)
    return sources.get(id)?.hours === 'always' || !schedule || isInSession(schedule, at)
  }
  return {
    isOpen,
    hasClosed(instrument, from, until) {
      if (!isOpen(instrument, from)) return true
      for (let at = from - (from % 60_000) + 60_000; at <= until; at += 60_000) {
        if (!isOpen(instrument, at)) return true
      }
      return !isOpen(instrument, until)
    },
    closesBetween,
    define: (session) => schedules.set(session.name, { session, windows: windowsOf(session) }),
    sessionOf: (name) => schedules.get(name)?.session,
    setSource: (instrumentId, source) => sources.set(instrumentId, source),
    sourceOf: (instrumentId) => sources.get(instrumentId),
  }
}

/** New York's offset is a multiple of an hour, so checking every full hour finds them all. */
function closesBetween(from: number, until: number): NewYorkClose[] {
  const found: NewYorkClose[] = []
  for (let at = (Math.floor(from / HOUR_MS) + 1) * HOUR_MS; at <= until; at += HOUR_MS) {
    const { minuteOfWeek } = wallOf('America/New_York', at)
    if (minuteOfWeek % 1440 === 17 * 60) {
      found.push({ at, weekday: DAYS[Math.floor(minuteOfWeek / 1440)] ?? '' })
    }
  }
  return found
}

type Window = { readonly opens: number; readonly closes: number }
type Schedule = { readonly session: SessionText; readonly windows: readonly Window[] }

const isOvernight = ({ opens, closes }: Window): boolean =>
  Math.floor(opens / 1440) !== Math.floor(((closes + WEEK_MINUTES - 1) % WEEK_MINUTES) / 1440)

/** A window counts as the day of its close where all windows run past midnight, else as the local day. */
function isInSession({ session, windows }: Schedule, at: number): boolean {
  const { date, minuteOfWeek } = wallOf(session.zone, at)
  const isNightly = windows.every(isOvernight)
  return windows.some((window) => {
    const { opens, closes } = window
    const isIn =
      opens < closes
        ? minuteOfWeek >= opens && minuteOfWeek < closes
        : minuteOfWeek >= opens || minuteOfWeek < closes
    // On its first evening the window belongs to the next day.
    const isEve = isNightly && Math.floor(minuteOfWeek / 1440) === Math.floor(opens / 1440)
    return (
      isIn &&
      !session.holidays.some((holiday) =>
        endsBy(holiday, isEve ? dayAfter(date) : date, isEve ? -1 : minuteOfWeek % 1440),
      )
    )
  })
}

/** A holiday without a closing time lasts the whole day, another one from that time on. */
const endsBy = ({ date, closesAt }: HolidayText, day: string, minute: number): boolean =>
  date === day && (closesAt === null || minute >= minuteOf(`Sun ${closesAt}`))

const dayAfter = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + 24 * HOUR_MS).toISOString().slice(0, 10)

const windowsOf = ({ windows }: SessionText): Window[] =>
  windows.split('; ').map((window) => {
    const [opens = NaN, closes = NaN] = window.split('-').map(minuteOf)
    return { opens, closes }
  })

function minuteOf(moment: string): number {
  const [day = '', time = ''] = moment.split(' ')
  const [hour, minute] = time.split(':').map(Number)
  return DAYS.indexOf(day) * 1440 + (hour ?? NaN) * 60 + (minute ?? NaN)
}

/** A formatter of a zone and its results, kept across episodes because formatting is slow. */
type Zone = { readonly read: (at: number) => Wall; readonly seen: Map<number, Wall> }
const zones = new Map<string, Zone>()

/** Offsets change on full quarters of an hour, so one look-up per quarter is enough. */
function wallOf(name: string, at: number): Wall {
  const zone = zones.get(name) ?? { read: createReader(name), seen: new Map() }
  zones.set(name, zone)
  const quarter = Math.floor(at / QUARTER_MS) * QUARTER_MS
  const wall = zone.seen.get(quarter) ?? zone.read(quarter)
  zone.seen.set(quarter, wall)
  const minute = wall.minuteOfWeek + Math.floor((at - quarter) / 60_000)
  return { date: wall.date, minuteOfWeek: minute % WEEK_MINUTES }
}

/** The Swedish locale writes "2025-03-04 08:30". */
function createReader(timeZone: string): (at: number) => Wall {
  const moment = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  const weekday = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short' })
  return (at) => {
    const [date = '', time = ''] = moment.format(at).split(' ')
    return { date, minuteOfWeek: minuteOf(`${weekday.format(at)} ${time}`) }
  }
}
