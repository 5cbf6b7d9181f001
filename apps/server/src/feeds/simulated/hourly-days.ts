import { createTradingDays, type DayTurn, type TradingDay, type TradingDays } from '@fairlot/core'

const HOUR_MS = 3_600_000
const TURNS: readonly DayTurn[] = ['newYorkClose', 'utcMidnight']
/** A look at the calendar costs about 0.2 ms for each day. */
const HOURS_A_PIECE = 24 * 60

/** Trading days that remember every hour: no day turns inside an hour, so one look serves all instruments. */
export type HourlyDays = {
  readonly tradingDays: TradingDays
  /** Looks up the days of ascending moments (epoch ms) in pieces of a few ms each. */
  prepare(moments: readonly number[]): Iterable<void>
}

export function createHourlyDays(): HourlyDays {
  const days = createTradingDays()
  const known = { newYorkClose: new Map<number, TradingDay>(), utcMidnight: new Map<number, TradingDay>() }
  const tradingDays: TradingDays = (turn, at) => {
    const hour = Math.floor(at / HOUR_MS)
    const day = known[turn].get(hour) ?? days(turn, at)
    known[turn].set(hour, day)
    return day
  }
  return {
    tradingDays,
    *prepare(moments) {
      for (const [index, at] of moments.entries()) {
        for (const turn of TURNS) tradingDays(turn, at)
        if (index % HOURS_A_PIECE === 0) yield
      }
    },
  }
}
