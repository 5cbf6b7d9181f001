import { setImmediate as yieldToLoop } from 'node:timers/promises'
import type { Pace } from '../market/feeds/clock.ts'

/** Time that only the test moves. */
export type SteppedPace = Pace & {
  /** Moves to a moment (epoch ms) and resolves the waits that end on the way, each at its time. */
  to(moment: number): Promise<void>
}

/** Iterations of the event loop in which resolved waits continue until they wait again. */
const LOOP_ITERATIONS = 20

export function createSteppedPace(start: number): SteppedPace {
  let now = start
  const waiting = new Set<{ readonly at: number; readonly wake: () => void }>()
  const settle = async () => {
    for (let count = 0; count < LOOP_ITERATIONS; count++) await yieldToLoop()
  }
  return {
    now: () => now,
    wall: () => now,
    wait: (ms, signal) =>
      new Promise((resolve) => {
        const waiter = { at: now + Math.max(ms, 1), wake: resolve }
        waiting.add(waiter)
        signal.addEventListener('abort', () => {
          waiting.delete(waiter)
          resolve()
        })
      }),
    to: async (moment) => {
      for (;;) {
        await settle()
        const [next] = [...waiting].filter(({ at }) => at <= moment).toSorted((a, b) => a.at - b.at)
        if (!next) break
        now = Math.max(now, next.at)
        waiting.delete(next)
        next.wake()
      }
      now = Math.max(now, moment)
    },
  }
}
