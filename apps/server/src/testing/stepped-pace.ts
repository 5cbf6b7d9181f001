import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Pace } from '../feeds/pace.ts'

/** Time that stands until the test moves it. */
export type SteppedPace = Pace & {
  /** Moves to a moment (epoch ms), waking everybody on the way at their own time. */
  to(moment: number): Promise<void>
}

/** Turns of the event loop in which whoever was woken does the next thing and waits again. */
const TURNS = 20

export function createSteppedPace(start: number): SteppedPace {
  let now = start
  const waiting = new Set<{ readonly at: number; readonly wake: () => void }>()
  const settle = async () => {
    for (let turn = 0; turn < TURNS; turn++) await nextTurn()
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
