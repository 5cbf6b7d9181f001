import { RateLimiterMemory } from 'rate-limiter-flexible'

const WINDOW_S = 900

/** Tries that may fail, counted over a quarter of an hour. One counts from its start, so that many at once are no way around. */
export type Attempts = {
  /** False once a key has failed too often. */
  begin(...keys: readonly string[]): Promise<boolean>
  /** Takes back what `begin` counted: it did not fail. */
  succeeded(...keys: readonly string[]): Promise<void>
}

export function createAttempts(most: number): Attempts {
  const limiter = new RateLimiterMemory({ points: most, duration: WINDOW_S })
  return {
    begin: async (...keys) => {
      const taken = keys.map((key) =>
        limiter.consume(key).then(
          () => true,
          () => false,
        ),
      )
      return (await Promise.all(taken)).every(Boolean)
    },
    succeeded: async (...keys) => void (await Promise.all(keys.map((key) => limiter.reward(key)))),
  }
}
