const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
export const DAY_MINUTES = 1440

/** A calendar day as the number of days since 1970-01-01; the same number for the same date in every zone. */
export type LocalDay = number

/** A local time. `minute` counts full minutes from 00:00 of the day. */
export type LocalTime = { readonly day: LocalDay; readonly minute: number }

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone)
  if (known) return known
  const created = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formatters.set(zone, created)
  return created
}

/** Wall clock minus UTC in an IANA zone at `at` (epoch ms), in ms. Throws a RangeError when the zone is unknown. */
export function zoneOffsetMs(zone: string, at: number): number {
  const second = Math.floor(at / 1000) * 1000
  const fields: Record<string, number> = {}
  for (const part of formatterOf(zone).formatToParts(second)) fields[part.type] = Number(part.value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second: seconds = 0 } = fields
  return Date.UTC(year, month - 1, day, hour, minute, seconds) - second
}

/** The local time in `zone` at `at` (epoch ms). */
export function toLocalTime(zone: string, at: number): LocalTime {
  const wall = at + zoneOffsetMs(zone, at)
  const day = Math.floor(wall / DAY_MS)
  return { day, minute: Math.floor((wall - day * DAY_MS) / MINUTE_MS) }
}

/**
 * The moment (epoch ms) of the local time `minute` minutes after 00:00 of `day`. A time that a clock change repeats
 * means the first of the two; a skipped one is read with the offset before the change (the "compatible" rule of RFC
 * 5545 and Temporal).
 */
export function fromLocalTime(zone: string, { day, minute }: LocalTime): number {
  const wall = day * DAY_MS + minute * MINUTE_MS
  const before = zoneOffsetMs(zone, wall - DAY_MS)
  const after = zoneOffsetMs(zone, wall + DAY_MS)
  if (before === after || zoneOffsetMs(zone, wall - before) === before) return wall - before
  return zoneOffsetMs(zone, wall - after) === after ? wall - after : wall - before
}

/** 0 is Sunday. */
export const weekdayOf = (day: LocalDay): number => (((day + 4) % 7) + 7) % 7

/** Parses "2025-12-25" as a day; null for an invalid date. */
export function parseLocalDay(date: string): LocalDay | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return null
  const at = Date.parse(`${date}T00:00:00Z`)
  const exists = !Number.isNaN(at) && new Date(at).toISOString().startsWith(date)
  return exists ? at / DAY_MS : null
}

/** A day as "2025-12-25". */
export const localDayText = (day: LocalDay): string => new Date(day * DAY_MS).toISOString().slice(0, 10)
