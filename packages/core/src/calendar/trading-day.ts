import { fromLocalTime, toLocalTime } from './time-zone.ts'
import type { TradingSession } from './trading-session.ts'

const DAY_MS = 86_400_000
const ZONE = 'America/New_York'
const CLOSE_MINUTE = 17 * 60

/** When a trading day begins: 17:00 New York, or 00:00 UTC for markets that never close. */
export type DayRollover = 'newYorkClose' | 'utcMidnight'

/** One trading day, epoch ms: `start` included, `end` (the next day's start) excluded. */
export type TradingDay = { readonly start: number; readonly end: number }

/** The day rollover of a session's instruments. */
export const dayRolloverOf = (session: Pick<TradingSession, 'windows'>): DayRollover =>
  session.windows === 'always' ? 'utcMidnight' : 'newYorkClose'

/** The trading day that contains `at` (epoch ms): 23 to 25 hours long around New York's clock changes. */
export function tradingDay(rollover: DayRollover, at: number): TradingDay {
  if (rollover === 'utcMidnight') {
    const start = Math.floor(at / DAY_MS) * DAY_MS
    return { start, end: start + DAY_MS }
  }
  const { day, minute } = toLocalTime(ZONE, at)
  const first = minute >= CLOSE_MINUTE ? day : day - 1
  return {
    start: fromLocalTime(ZONE, { day: first, minute: CLOSE_MINUTE }),
    end: fromLocalTime(ZONE, { day: first + 1, minute: CLOSE_MINUTE }),
  }
}

/** `tradingDay` with a cache of the last day, so that a call per tick costs one comparison. */
export type TradingDays = (rollover: DayRollover, at: number) => TradingDay

export function createTradingDays(): TradingDays {
  const last: Partial<Record<DayRollover, TradingDay>> = {}
  return (rollover, at) => {
    const known = last[rollover]
    return known && at >= known.start && at < known.end ? known : (last[rollover] = tradingDay(rollover, at))
  }
}
