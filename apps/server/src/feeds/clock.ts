import type { Clock } from './feed.ts'
import type { Pace } from './pace.ts'

/** The machine's clock may be ahead, or behind, by so much before it counts as set anew. */
const STEP_MS = 1_000

/**
 * Real time in whole ms. It runs by the monotonic clock, so ages are never differences of the wall clock. When the wall clock is
 * suddenly ahead (the machine has slept, or its clock was set forward), it follows: every price is then old until the next one.
 * When the wall clock is behind, or `notBefore` is ahead (epoch ms: the last moment this market has seen), it goes on from where
 * it is, because market time never goes back.
 */
export function createRealClock(pace: Pace, notBefore = 0): Required<Clock> {
  let offset = Math.max(pace.wall(), notBefore) - pace.now()
  let jumps = 0
  function now(): number {
    const lead = pace.wall() - (pace.now() + offset)
    if (lead > STEP_MS) {
      offset += lead
      jumps += lead
    }
    return Math.floor(pace.now() + offset)
  }
  return {
    now,
    fromSource(time) {
      const [market, wall] = [now(), Math.floor(pace.wall())]
      // A source whose clock agrees with the machine's was set back with it, or is right where the market clock is ahead.
      const isByWall = market - wall > STEP_MS && Math.abs(time - wall) < Math.abs(time - market)
      return isByWall ? time + market - wall : time
    },
    takeJumps() {
      const taken = Math.round(jumps)
      jumps = 0
      return taken
    },
  }
}

/** The time of a recording as it plays. */
export type ReplayClock = Clock & {
  /** Lets it run from where it stands. */
  run(): void
  /** Moves it forward to `at` (epoch ms); an earlier moment changes nothing. */
  jump(at: number): void
  /** Real ms until the clock shows `at`; 0 when it does. */
  msUntil(at: number): number
}

/** Stands at `start` (epoch ms) until it is run, then moves `speed` ms for each real one. */
export function createReplayClock(pace: Pace, start: number, speed: number): ReplayClock {
  let anchor = { market: start, real: pace.now() }
  let isRunning = false
  const exact = () => (isRunning ? anchor.market + (pace.now() - anchor.real) * speed : anchor.market)
  const now = () => Math.floor(exact())
  return {
    now,
    run() {
      if (isRunning) return
      anchor = { market: anchor.market, real: pace.now() }
      isRunning = true
    },
    jump(at) {
      if (at > exact()) anchor = { market: at, real: pace.now() }
    },
    msUntil: (at) => (at <= now() ? 0 : Math.max(1, Math.ceil((at - exact()) / speed))),
  }
}
