import { isIPv6 } from 'node:net'
import { RateLimiterMemory } from './memory-limiter.ts'

/** Counts per key; false once a key has used up what it may. */
export type Limit = (key: string | number) => Promise<boolean>

/** How many: asked anew each time where it is a setting that may change. */
export type HowMany = number | (() => number)
export const howMany = (count: HowMany): number => (typeof count === 'number' ? count : count())

/** So many per key in so many seconds. */
export const createLimit = (count: HowMany, seconds: number): Limit => {
  const limiter = new RateLimiterMemory({ points: howMany(count), duration: seconds })
  return (key) => {
    limiter.points = howMany(count)
    return limiter.consume(key).then(
      () => true,
      () => false,
    )
  }
}

/** Bursts refill over this many seconds. */
const BURST_S = 10

/** A steady rate per key, and a burst on top of it. */
export function createBurstLimit(perSecond: HowMany, burst: HowMany): Limit {
  const steady = createLimit(perSecond, 1)
  const further = createLimit(burst, BURST_S)
  return async (key) => (await steady(key)) || further(key)
}

/** Takes one more of what a key may hold at once; answers how to give it back, or null once there are too many. */
export type Holding = (key: string) => (() => void) | null

export function createHolding(countMax: HowMany): Holding {
  const held = new Map<string, number>()
  return (key) => {
    const count = held.get(key) ?? 0
    if (count >= howMany(countMax)) return null
    held.set(key, count + 1)
    return () => {
      const left = (held.get(key) ?? 0) - 1
      if (left > 0) held.set(key, left)
      else held.delete(key)
    }
  }
}

/**
 * Who a limit per address counts: the address, or for IPv6 its network of 64 bits, within which one person has as many
 * addresses as they like.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::')
  const before = groupsOf(head)
  const after = groupsOf(tail ?? '')
  const missing = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array<string>(Math.max(missing, 0)).fill('0'), ...after]
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** Leading zeros go, so that one network has one name. */
const groupsOf = (part: string): string[] =>
  part === '' ? [] : part.split(':').map((group) => group.replace(/^0+(?=.)/, ''))

/** An address as people are shown that of somebody else: enough to tell networks apart, not to find who it is. */
export function maskedAddress(address: string): string {
  const network = networkOf(address)
  if (!isIPv6(address) || network.includes('.')) return network.replace(/\.\d+$/, '.*')
  return `${network.split(':').slice(0, 3).join(':')}:*`
}
