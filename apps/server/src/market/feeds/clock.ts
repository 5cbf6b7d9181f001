import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from './feed.ts'

/** Real time as a port, so that a test can let hours pass at once. */
export type Pace = {
  /** Monotonic epoch ms: independent of changes of the wall clock, may stop while the machine sleeps, may have a fraction. */
  now(): number
  /** Epoch ms by the machine's clock, which may be set forward or back at any time. */
  wall(): number
  /** Resolves after `ms`, or at once when the signal aborts; never rejects. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

/** Longest wait that a timer can hold. */
const LONGEST_MS = 2_147_483_647

export const realPace: Pace = {
  now: () => performance.timeOrigin + performance.now(),
  wall: () => Date.now(),
  wait: (ms, signal) =>
    sleep(Math.min(Math.max(ms, 1), LONGEST_MS), undefined, { signal }).catch(() => undefined),
}

/** Deviations of the machine's clock beyond this are followed, ms. */
const STEP_MS = 1_000

/**
 * Real time in integer ms, by the monotonic clock, so that ages do not depend on the wall clock. When the wall clock is
 * suddenly ahead (the machine slept, or its clock was set forward), it follows: prices are then stale until the next one. When
 * the wall clock is behind, or `notBefore` is ahead (epoch ms: the last time this market has seen), it continues from where it
 * is, since market time never goes back.
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
  /** Starts the clock from its current time. */
  run(): void
  /** Moves it forward to `at` (epoch ms); an earlier time has no effect. */
  jump(at: number): void
  /** Real ms until the clock shows `at`; 0 when it does. */
  msUntil(at: number): number
}

/** Stays at `start` (epoch ms) until it is run, then advances `speed` ms per real ms. */
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
