import { fromLocalTime, toLocalTime } from './time-zone.ts'
import type { TradingSession } from './session-calendar.ts'

const DAY_MS = 86_400_000
const ZONE = 'America/New_York'
const CLOSE_MINUTE = 17 * 60

/** Where a trading day turns: 17:00 New York; for markets that never close, 00:00 UTC. */
export type DayTurn = 'newYorkClose' | 'utcMidnight'

/** One trading day, epoch ms: `start` included, `end` (the next day's start) excluded. */
export type TradingDay = { readonly start: number; readonly end: number }

/** The turn a session's instruments use. */
export const dayTurnOf = (session: Pick<TradingSession, 'windows'>): DayTurn =>
  session.windows === 'always' ? 'utcMidnight' : 'newYorkClose'

/** The trading day that `at` (epoch ms) lies in: 23 to 25 hours long around New York's clock changes. */
export function tradingDay(turn: DayTurn, at: number): TradingDay {
  if (turn === 'utcMidnight') {
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

/** `tradingDay` that remembers the last day of each turn, so that a call per tick costs a comparison. */
export type TradingDays = (turn: DayTurn, at: number) => TradingDay

export function createTradingDays(): TradingDays {
  const last: Partial<Record<DayTurn, TradingDay>> = {}
  return (turn, at) => {
    const known = last[turn]
    return known && at >= known.start && at < known.end ? known : (last[turn] = tradingDay(turn, at))
  }
}
