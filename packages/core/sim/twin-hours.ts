/** Opening hours once more: what a wall clock in the venue's zone shows, looked up in the windows as they are written. */
import type { Instrument, SessionText } from '../src/index.ts'

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const QUARTER_MS = 900_000
const HOUR_MS = 3_600_000
const WEEK_MINUTES = 7 * 1440

type Wall = { readonly date: string; readonly minuteOfWeek: number }

/** A moment at which a wall clock in New York shows 17:00. */
export type NewYorkClose = { readonly at: number; readonly weekday: string }

export type TwinHours = {
  /** By schedule and holidays. */
  readonly isOpen: (instrument: Pick<Instrument, 'session'>, at: number) => boolean
  /** True when the market was closed at some moment from `from` to `until` (both included), looked at minute by minute. */
  readonly hasClosed: (instrument: Pick<Instrument, 'session'>, from: number, until: number) => boolean
  /** Every 17:00 New York after `from` and up to `until`. */
  readonly closesBetween: (from: number, until: number) => NewYorkClose[]
}

export function createTwinHours(sessions: readonly SessionText[]): TwinHours {
  const isInSession = createSessionClock(sessions)
  const isOpen: TwinHours['isOpen'] = ({ session }, at) => isInSession(session, at)
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
  }
}

/** New York's clocks stand at whole hours when the world's do, so a look at every hour finds them all. */
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

function createSessionClock(sessions: readonly SessionText[]): (name: string, at: number) => boolean {
  const known = new Map(
    sessions.map((session) => [session.name, { ...session, windows: windowsOf(session) }]),
  )
  return (name, at) => {
    const session = known.get(name)
    if (!session) return true
    const { date, minuteOfWeek } = wallOf(session.zone, at)
    if (session.holidays.some((holiday) => holiday.date === date)) return false
    return session.windows.some(({ opens, closes }) =>
      opens < closes
        ? minuteOfWeek >= opens && minuteOfWeek < closes
        : minuteOfWeek >= opens || minuteOfWeek < closes,
    )
  }
}

const windowsOf = ({ windows }: SessionText) =>
  windows.split('; ').map((window) => {
    const [opens = NaN, closes = NaN] = window.split('-').map(minuteOf)
    return { opens, closes }
  })

function minuteOf(moment: string): number {
  const [day = '', time = ''] = moment.split(' ')
  const [hour, minute] = time.split(':').map(Number)
  return DAYS.indexOf(day) * 1440 + (hour ?? NaN) * 60 + (minute ?? NaN)
}

/** A zone's reader and what it has read; kept from chapter to chapter, for reading is slow. */
type Zone = { readonly read: (at: number) => Wall; readonly seen: Map<number, Wall> }
const zones = new Map<string, Zone>()

/** Zones change their clocks on whole quarters, so one look a quarter is enough. */
function wallOf(name: string, at: number): Wall {
  const zone = zones.get(name) ?? { read: createReader(name), seen: new Map() }
  zones.set(name, zone)
  const quarter = Math.floor(at / QUARTER_MS) * QUARTER_MS
  const wall = zone.seen.get(quarter) ?? zone.read(quarter)
  zone.seen.set(quarter, wall)
  const minute = wall.minuteOfWeek + Math.floor((at - quarter) / 60_000)
  return { date: wall.date, minuteOfWeek: minute % WEEK_MINUTES }
}

/** Sweden writes "2025-03-04 08:30". */
function createReader(timeZone: string): (at: number) => Wall {
  const moment = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  const weekday = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short' })
  return (at) => {
    const [date = '', time = ''] = moment.format(at).split(' ')
    return { date, minuteOfWeek: minuteOf(`${weekday.format(at)} ${time}`) }
  }
}
