import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** Real time as the feeds use it: a port, so that a test can let hours pass at once. */
export type Pace = {
  /** Epoch ms that no change of the wall clock moves, and that may stand while the machine sleeps; may have a fraction. */
  now(): number
  /** Epoch ms by the machine's own clock, which may be set either way at any time. */
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
