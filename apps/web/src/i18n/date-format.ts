import { withoutMarks } from '@fairlot/contract'
import { formatTag } from './language.ts'

export type MomentFormat = {
  /** "14:02:07", in the user's time zone. */
  time: (at: number) => string
  /** "14:02". */
  minute: (at: number) => string
  /** "2 May 2014, 14:02:07". */
  dateTime: (at: number) => string
  /** "November 2026": the UTC month. */
  month: (at: number) => string
  /** "Wed"; Sunday is 0. */
  weekday: (day: number) => string
  /** "14:30" today, "Mon 14:30" within the next week, else the date, with its year when about a year away. */
  soon: (at: number, now: number) => string
}

const DAY_MS = 86_400_000
/** A Sunday, 00:00 UTC. */
const SUNDAY = 3 * DAY_MS

/** Dates and times in a language's format: Gregorian calendar, Latin digits, 24 hours. `at` and `now` are epoch ms. */
export function momentFormat(tag: string, timeZone?: string): MomentFormat {
  const zone = timeZone === undefined ? {} : { timeZone }
  const format = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat(formatTag(tag), { hourCycle: 'h23', ...zone, ...options })
    return (at: number) => withoutMarks(formatter.format(at))
  }
  const minute = format({ hour: '2-digit', minute: '2-digit' })
  const weekday = format({ weekday: 'short', hour: '2-digit', minute: '2-digit' })
  const date = format({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
  const weekdayOnly = new Intl.DateTimeFormat(formatTag(tag), { weekday: 'short', timeZone: 'UTC' })
  const dateAndYear = format({ dateStyle: 'medium' })
  const monthOnly = new Intl.DateTimeFormat(formatTag(tag), {
    year: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  })
  const day = format({ year: 'numeric', month: 'numeric', day: 'numeric' })
  return {
    time: format({ hour: '2-digit', minute: '2-digit', second: '2-digit' }),
    minute,
    dateTime: format({ dateStyle: 'medium', timeStyle: 'medium' }),
    month: (at) => monthOnly.format(at),
    weekday: (index) => weekdayOnly.format(SUNDAY + index * DAY_MS),
    soon: (at, now) => {
      if (day(at) === day(now)) return minute(at)
      if (at > now && at - now < 6 * DAY_MS) return weekday(at)
      return Math.abs(at - now) < 300 * DAY_MS ? date(at) : dateAndYear(at)
    },
  }
}
