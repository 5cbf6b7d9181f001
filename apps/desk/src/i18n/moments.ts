const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const formatIn = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options })

const DAY = formatIn({ day: 'numeric', month: 'short' })
const YEAR = formatIn({ year: 'numeric' })
const CLOCK = formatIn({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** `14 Oct`, with its year when that is not the year of `now`. Times of the desk are epoch ms, shown in UTC. */
export function day(at: number, now: number): string {
  const year = YEAR.format(at)
  return year === YEAR.format(now) ? DAY.format(at) : `${DAY.format(at)} ${year}`
}

/** `10:02` */
export const clock = (at: number): string => CLOCK.format(at)

/** `22 Nov, 09:12` */
export const moment = (at: number, now: number): string => `${day(at, now)}, ${clock(at)}`

/** The time since `at`: `6 min`, `3 h 10`, `2 days`. */
export function since(at: number, now: number): string {
  const passed = Math.max(0, now - at)
  if (passed < HOUR_MS) return `${Math.floor(passed / MINUTE_MS)} min`
  if (passed < 2 * DAY_MS)
    return `${Math.floor(passed / HOUR_MS)} h ${String(Math.floor((passed % HOUR_MS) / MINUTE_MS)).padStart(2, '0')}`
  return `${Math.floor(passed / DAY_MS)} days`
}

/** Reads a date and time field as UTC, like every time of the desk; epoch ms, null while incomplete. */
export function momentOfField(text: string): number | null {
  const at = Date.parse(`${text}Z`)
  return Number.isNaN(at) ? null : at
}
