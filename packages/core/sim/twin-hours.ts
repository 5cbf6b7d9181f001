/** Opening hours once more: what a wall clock in the venue's zone shows, looked up in the windows as they are written. */
import type { Instrument, SessionText } from '../src/index.ts'
import type { Halt } from './world.ts'

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const QUARTER_MS = 900_000
const WEEK_MINUTES = 7 * 1440

type Wall = { readonly date: string; readonly minuteOfWeek: number }

export type TwinHours = {
  readonly isOpen: (instrument: Pick<Instrument, 'id' | 'session'>, at: number) => boolean
  /** True when the market was closed at some moment from `from` to `until` (both included), looked at minute by minute. */
  readonly hasClosed: (instrument: Pick<Instrument, 'id' | 'session'>, from: number, until: number) => boolean
}

export function createTwinHours(sessions: readonly SessionText[], halts: readonly Halt[]): TwinHours {
  const isInSession = createSessionClock(sessions)
  const isOpen: TwinHours['isOpen'] = ({ id, session }, at) =>
    isInSession(session, at) &&
    halts.every((halt) => halt.instrumentId !== id || at < halt.from || at >= halt.until)
  return {
    isOpen,
    hasClosed(instrument, from, until) {
      if (
        halts.some((halt) => halt.instrumentId === instrument.id && halt.from <= until && halt.until > from)
      ) {
        return true
      }
      if (!isOpen(instrument, from)) return true
      for (let at = from - (from % 60_000) + 60_000; at <= until; at += 60_000) {
        if (!isOpen(instrument, at)) return true
      }
      return !isOpen(instrument, until)
    },
  }
}

function createSessionClock(sessions: readonly SessionText[]): (name: string, at: number) => boolean {
  const wallOf = createWallClock()
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

/** Zones change their clocks on whole quarters, so one look a quarter is enough. */
function createWallClock(): (zone: string, at: number) => Wall {
  const seen = new Map<string, Wall>()
  const readers = new Map<string, (at: number) => Wall>()
  const read = (zone: string, at: number): Wall => {
    const reader = readers.get(zone) ?? createReader(zone)
    readers.set(zone, reader)
    return reader(at)
  }
  return (zone, at) => {
    const quarter = Math.floor(at / QUARTER_MS) * QUARTER_MS
    const key = `${zone} ${quarter}`
    const wall = seen.get(key) ?? read(zone, quarter)
    seen.set(key, wall)
    const minute = wall.minuteOfWeek + Math.floor((at - quarter) / 60_000)
    return { date: wall.date, minuteOfWeek: minute % WEEK_MINUTES }
  }
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
