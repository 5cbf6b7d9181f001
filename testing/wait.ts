import { setTimeout as pause } from 'node:timers/promises'

export { pause }

const CHECK_EACH_MS = 15

/** Resolves with the first result that is not null; throws an Error that names the condition after the time-out. */
export async function until<T>(
  condition: string,
  withinMs: number,
  check: () => Promise<T | null>,
): Promise<T> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const found = await check()
    if (found !== null) return found
    if (performance.now() > deadline) throw new Error(`not within ${withinMs / 1000} s: ${condition}`)
    await pause(CHECK_EACH_MS)
  }
}
