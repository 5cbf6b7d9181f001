import type { Clock } from './feed.ts'
import type { Pace } from './pace.ts'

/**
 * Real time in whole ms, unmoved by changes of the wall clock. When `notBefore` (epoch ms: the last moment this market
 * has seen) lies ahead, it goes on from there, because market time never goes back.
 */
export function createRealClock(pace: Pace, notBefore = 0): Clock {
  const aheadMs = Math.max(0, notBefore - Math.floor(pace.now()))
  return { now: () => Math.floor(pace.now()) + aheadMs }
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
