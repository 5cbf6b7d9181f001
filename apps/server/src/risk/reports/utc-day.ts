const DAY_MS = 86_400_000
/** The 1st of January 1970 was a Thursday. */
const MONDAY_MS = 4 * DAY_MS
const WEEK_MS = 7 * DAY_MS

/** The start of the UTC day that a moment lies in; both epoch ms. */
export const utcDayOf = (at: number): number => Math.floor(at / DAY_MS) * DAY_MS

/** The Monday, 00:00 UTC, of the week that a moment lies in; both epoch ms. */
export const utcWeekOf = (at: number): number => Math.floor((at - MONDAY_MS) / WEEK_MS) * WEEK_MS + MONDAY_MS

/** The last `count` UTC days up to the one of a moment, the oldest first. */
export const lastDays = (at: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => utcDayOf(at) - (count - 1 - index) * DAY_MS)
