import { createRequire } from 'node:module'
import type { RateLimiterMemory as Limiter } from 'rate-limiter-flexible'

const load = createRequire(import.meta.url)

/** The in-memory limiter alone: the whole package would load a limiter for each of twenty databases. */
export const RateLimiterMemory = load('rate-limiter-flexible/lib/RateLimiterMemory.js') as typeof Limiter

/** Counts one use of a key; false once the key has reached its limit. */
export type Limit = (key: string | number) => Promise<boolean>

/** A limit, or a function that returns it where it is a setting that may change. */
export type Maximum = number | (() => number)
export const maximumOf = (count: Maximum): number => (typeof count === 'number' ? count : count())

/** At most `count` uses of a key within `seconds`. */
export const createLimit = (count: Maximum, seconds: number): Limit => {
  const limiter = new RateLimiterMemory({ points: maximumOf(count), duration: seconds })
  return (key) => {
    limiter.points = maximumOf(count)
    return limiter.consume(key).then(
      () => true,
      () => false,
    )
  }
}

/** Bursts refill over this many seconds. */
const BURST_S = 10

/** A steady rate per key, and a burst on top of it. */
export function createBurstLimit(perSecond: Maximum, burst: Maximum): Limit {
  const steady = createLimit(perSecond, 1)
  const further = createLimit(burst, BURST_S)
  return async (key) => (await steady(key)) || further(key)
}

/** Counts one more use of a key at the same time; returns the function that ends it, or null at the limit. */
export type ConcurrencyLimit = (key: string) => (() => void) | null

export function createConcurrencyLimit(countMax: Maximum): ConcurrencyLimit {
  const held = new Map<string, number>()
  return (key) => {
    const count = held.get(key) ?? 0
    if (count >= maximumOf(countMax)) return null
    held.set(key, count + 1)
    return () => {
      const left = (held.get(key) ?? 0) - 1
      if (left > 0) held.set(key, left)
      else held.delete(key)
    }
  }
}
