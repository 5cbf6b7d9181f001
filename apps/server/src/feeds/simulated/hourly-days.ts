import { createTradingDays, type TradingDay, type TradingDays } from '@fairlot/core'

const HOUR_MS = 3_600_000

/** Trading days that remember every hour: no day turns inside an hour, so one look at the calendar serves all instruments. */
export function createHourlyDays(): TradingDays {
  const days = createTradingDays()
  const known = { newYorkClose: new Map<number, TradingDay>(), utcMidnight: new Map<number, TradingDay>() }
  return (turn, at) => {
    const hour = Math.floor(at / HOUR_MS)
    const day = known[turn].get(hour) ?? days(turn, at)
    known[turn].set(hour, day)
    return day
  }
}
