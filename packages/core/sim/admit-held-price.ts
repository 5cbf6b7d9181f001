/** An operator admits a price that the tick guard holds as out of bounds. */
import { admitReference, price } from '../src/index.ts'
import type { Episode, Step } from './episode.ts'
import { TRADABLE } from './instruments.ts'
import { admit } from './reference/tick-guard.ts'

/** Largest multiple of its first price to which a traded instrument may move. */
const MAX_MULTIPLE = 20

/**
 * Mostly for instruments that nobody trades: otherwise every second price would be an extreme one. Never at a price
 * at which open positions are worth more than can be booked; the core's own tests cover that.
 */
export function admitHeldPrice({ random, referenceGuard, host, counts, world }: Episode): Step | null {
  const { outsiders } = referenceGuard
  if (outsiders.length === 0 || !random.chance(1)) return null
  const tick = random.pick(outsiders)
  const reference = world.profiles.get(tick.instrumentId)?.reference ?? 1
  const isTraded = tick.instrumentId <= TRADABLE
  if (isTraded && Math.abs(tick.bid) > MAX_MULTIPLE * reference) return null
  if (isTraded && !isComingBack(tick, referenceGuard.accepted) && !random.chance(3)) return null
  admitReference(host.guard, tick.instrumentId, { bid: price(tick.bid), ask: price(tick.ask) })
  admit(referenceGuard, tick)
  counts.hit('operator admits an out-of-bounds price')
  return { command: { admitted: tick }, problems: [] }
}

type Offer = { readonly instrumentId: number; readonly bid: number; readonly ask: number }

/**
 * After a wrong price was admitted, the guard holds the right ones: this tick is within half of the last accepted
 * price.
 */
function isComingBack({ instrumentId, bid }: Offer, accepted: ReadonlyMap<number, Offer>): boolean {
  const last = accepted.get(instrumentId)
  return !last || Math.abs(bid - last.bid) < last.bid / 2
}
