import { setTimeout as pause } from 'node:timers/promises'

export { pause }

const LOOK_EACH_MS = 15

/** Resolves with the first answer that is not null; throws an Error that names the wish when none comes in time. */
export async function until<T>(wish: string, withinMs: number, look: () => Promise<T | null>): Promise<T> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const found = await look()
    if (found !== null) return found
    if (performance.now() > deadline) throw new Error(`not within ${withinMs / 1000} s: ${wish}`)
    await pause(LOOK_EACH_MS)
  }
}
