/** The simulated clock: mostly small steps, sometimes a jump past a close, an open, a rollover, a weekend or 48 hours. */
import type { Random } from '../../../testing/random.ts'
import type { ReferenceHours } from './reference/trading-hours.ts'
import type { SimWorld } from './world.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export type MarketClock = {
  readonly advance: () => number
  readonly jump: () => number
  readonly wait: (ms: number) => number
  /** Moves to a moment, unless it has passed. */
  readonly reach: (moment: number) => number
}

export function createClock(world: SimWorld, hours: ReferenceHours, random: Random): MarketClock {
  let at = world.startsAt
  let upcomingRollover = 0
  const nextRollover = (): number => {
    if (upcomingRollover <= at) upcomingRollover = hours.closesBetween(at, at + 2 * DAY_MS)[0]?.at ?? Infinity
    return upcomingRollover
  }
  const forex = world.instruments[0]
  const isForexOpen = (time: number) => forex !== undefined && hours.isOpen(forex, time)
  return {
    wait: (ms) => (at += ms),
    reach: (moment) => (at = Math.max(at, moment)),
    advance() {
      // Several steps stay at the time of a rollover, to test commands at that instant.
      if (at === upcomingRollover && random.chance(80)) return at
      if (nextRollover() - at < 4_000 && random.chance(8)) return (at = upcomingRollover)
      return (at += random.chance(10) ? 0 : random.int(1, random.chance(99) ? 170 : 4_000))
    },
    jump() {
      const draw = random.int(1, 100)
      if (draw <= 25)
        return (at = Math.max(at, nextRollover() + random.pick([0, 1, random.int(-4_000, 4_000)])))
      if (!isForexOpen(at) && random.chance(60)) return (at = nextChange(at, isForexOpen, random))
      if (draw <= 58) return (at += random.int(6_000, 20 * MINUTE_MS))
      if (draw <= 86) return (at = nextChange(at, marketOf(world, hours, random), random))
      if (draw <= 92) return (at += random.int(1, 10) * HOUR_MS)
      return (at += 2 * DAY_MS + random.int(-60_000, 60_000))
    },
  }
}

function marketOf(world: SimWorld, hours: ReferenceHours, random: Random): (time: number) => boolean {
  const instrument = random.pick(world.instruments)
  return (time) => hours.isOpen(instrument, time)
}

/** Around the minute in which a market next opens or closes; a minute later if it does neither within five days. */
function nextChange(at: number, isOpen: (time: number) => boolean, random: Random): number {
  const isOpenNow = isOpen(at)
  for (let minutes = 1; minutes < 5 * 1440; minutes++) {
    const time = Math.floor(at / MINUTE_MS + minutes) * MINUTE_MS
    if (isOpen(time) !== isOpenNow)
      return Math.max(at, time + (random.chance(30) ? 0 : random.int(-8_000, 3_000)))
  }
  return at + MINUTE_MS
}
