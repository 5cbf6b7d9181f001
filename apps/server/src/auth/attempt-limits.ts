import { howMany, type HowMany } from '../http/rate-limits.ts'
import { RateLimiterMemory } from '../http/memory-limiter.ts'
import { isRefusal, refuse, type Refusal } from '../http/refusal.ts'

const WINDOW_S = 900

/** Tries that may fail, counted over a quarter of an hour. */
export type Attempts = {
  /** False once a key has failed too often. */
  begin(key: string): Promise<boolean>
  /** Takes back what `begin` counted. */
  takeBack(key: string): Promise<void>
}

export function createAttempts(most: HowMany): Attempts {
  const limiter = new RateLimiterMemory({ points: howMany(most), duration: WINDOW_S })
  return {
    begin: (key) => {
      limiter.points = howMany(most)
      return limiter.consume(key).then(
        () => true,
        () => false,
      )
    },
    takeBack: async (key) => void (await limiter.reward(key)),
  }
}

/**
 * Runs a check that may refuse, and counts it where it does. It counts from its start, so that many at once are no way
 * around; one that throws has checked nothing, and does not count. Where one key has failed too often nothing is run,
 * and the keys behind it are left alone: whoever is stopped by the first cannot use up the others.
 */
export async function counted<Answer>(
  keys: readonly (readonly [Attempts, string])[],
  check: () => Promise<Answer | Refusal>,
): Promise<Answer | Refusal> {
  for (const [attempts, key] of keys) if (!(await attempts.begin(key))) return refuse('tooManyRequests')
  let hasFailed = false
  try {
    const answer = await check()
    hasFailed = isRefusal(answer)
    return answer
  } finally {
    if (!hasFailed) await Promise.all(keys.map(([attempts, key]) => attempts.takeBack(key)))
  }
}
