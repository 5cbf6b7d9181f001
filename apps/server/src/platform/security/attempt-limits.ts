import { maximumOf, RateLimiterMemory, type Maximum } from '../rate-limits.ts'
import { isRefusal, refuse, type Refusal } from '../refusal.ts'

const WINDOW_S = 900

/** A limit on failed attempts per key within 15 minutes. */
export type AttemptLimit = {
  /** Counts an attempt; false once the key has reached the limit. */
  begin(key: string): Promise<boolean>
  /** Removes the attempt that `begin` counted. */
  refund(key: string): Promise<void>
}

export function createAttemptLimit(limit: Maximum): AttemptLimit {
  const limiter = new RateLimiterMemory({ points: maximumOf(limit), duration: WINDOW_S })
  return {
    begin: (key) => {
      limiter.points = maximumOf(limit)
      return limiter.consume(key).then(
        () => true,
        () => false,
      )
    },
    refund: async (key) => void (await limiter.reward(key)),
  }
}

/**
 * Runs a check and counts it against every key when it is refused. Attempts are counted before the check, so that parallel
 * requests cannot exceed the limit; a check that throws is not counted. The keys are tested in order, and once one of them
 * is exhausted the check does not run and later keys are not counted: an attacker who is blocked by the first key cannot
 * exhaust the others.
 */
export async function withAttemptLimits<Answer>(
  keys: readonly (readonly [AttemptLimit, string])[],
  check: () => Promise<Answer | Refusal>,
): Promise<Answer | Refusal> {
  for (const [limit, key] of keys) if (!(await limit.begin(key))) return refuse('tooManyRequests')
  let hasFailed = false
  try {
    const answer = await check()
    hasFailed = isRefusal(answer)
    return answer
  } finally {
    if (!hasFailed) await Promise.all(keys.map(([limit, key]) => limit.refund(key)))
  }
}
