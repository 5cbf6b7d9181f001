/** Market time: mostly small steps, sometimes a jump past a closing, an opening, a weekend or 48 hours. */
import type { Random } from './random.ts'
import type { TwinHours } from './twin-hours.ts'
import type { SimWorld } from './world.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

export type MarketClock = {
  readonly advance: () => number
  readonly jump: () => number
  readonly wait: (ms: number) => number
  /** Goes to a moment, unless it is over. */
  readonly reach: (moment: number) => number
}

export function createClock(world: SimWorld, hours: TwinHours, random: Random): MarketClock {
  let at = world.startsAt
  const forex = world.instruments[0]
  const isForexOpen = (time: number) => forex !== undefined && hours.isOpen(forex, time)
  return {
    wait: (ms) => (at += ms),
    reach: (moment) => (at = Math.max(at, moment)),
    advance: () => (at += random.chance(10) ? 0 : random.int(1, random.chance(99) ? 170 : 4_000)),
    jump() {
      if (!isForexOpen(at) && random.chance(70)) return (at = nextChange(at, isForexOpen, random))
      const draw = random.int(1, 100)
      if (draw <= 45) return (at += random.int(6_000, 20 * MINUTE_MS))
      if (draw <= 80) return (at = nextChange(at, marketOf(world, hours, random), random))
      if (draw <= 88) return (at += random.int(1, 10) * HOUR_MS)
      return (at += 48 * HOUR_MS + random.int(-60_000, 60_000))
    },
  }
}

function marketOf(world: SimWorld, hours: TwinHours, random: Random): (time: number) => boolean {
  const instrument = random.pick(world.instruments)
  return (time) => hours.isOpen(instrument, time)
}

/** Around the minute in which a market opens or closes next; a little later when it never does. */
function nextChange(at: number, isOpen: (time: number) => boolean, random: Random): number {
  const isOpenNow = isOpen(at)
  for (let minutes = 1; minutes < 5 * 1440; minutes++) {
    const time = Math.floor(at / MINUTE_MS + minutes) * MINUTE_MS
    if (isOpen(time) !== isOpenNow)
      return Math.max(at, time + (random.chance(30) ? 0 : random.int(-8_000, 3_000)))
  }
  return at + MINUTE_MS
}
