import { createRequire } from 'node:module'
import type { RateLimiterMemory as Limiter } from 'rate-limiter-flexible'

const load = createRequire(import.meta.url)

/** Counts in memory. Alone: the package as a whole brings a limiter for each of twenty databases. */
export const RateLimiterMemory = load('rate-limiter-flexible/lib/RateLimiterMemory.js') as typeof Limiter
