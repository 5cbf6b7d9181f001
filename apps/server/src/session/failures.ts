import { RateLimiterMemory } from 'rate-limiter-flexible'

const WINDOW_S = 900

/** Log-ins that failed in the last quarter of an hour. */
export type Failures = { isTooMany(key: string): Promise<boolean>; count(key: string): Promise<void> }

export function createFailures(most: number): Failures {
  const limiter = new RateLimiterMemory({ points: most, duration: WINDOW_S })
  return {
    isTooMany: async (key) => ((await limiter.get(key))?.consumedPoints ?? 0) >= most,
    count: async (key) => void (await limiter.penalty(key)),
  }
}
