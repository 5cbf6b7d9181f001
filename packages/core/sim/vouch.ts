/** An operator who vouches for a price that the guard holds out of bounds. */
import { price, vouchFor } from '../src/index.ts'
import type { Chapter, Step } from './chapter.ts'
import { TRADABLE } from './instruments.ts'
import { vouch } from './reference/tick-guard.ts'

/** Furthest above its first price that a traded instrument is let go. */
const MOST_TIMES = 20

/**
 * Mostly where nobody trades: elsewhere every second price would be one of another world. Where they do trade, never for a
 * price at which positions are worth more than can be booked: what waits then is for the core's own tests.
 */
export function vouchForOne({ random, referenceGuard, host, counts, world }: Chapter): Step | null {
  const { outsiders } = referenceGuard
  if (outsiders.length === 0 || !random.chance(1)) return null
  const tick = random.pick(outsiders)
  const reference = world.natures.get(tick.instrumentId)?.reference ?? 1
  const isTraded = tick.instrumentId <= TRADABLE
  if (isTraded && Math.abs(tick.bid) > MOST_TIMES * reference) return null
  if (isTraded && !isComingBack(tick, referenceGuard.accepted) && !random.chance(3)) return null
  vouchFor(host.guard, tick.instrumentId, { bid: price(tick.bid), ask: price(tick.ask) })
  vouch(referenceGuard, tick)
  counts.hit('operator vouches for a price out of bounds')
  return { command: { vouchedFor: tick }, problems: [] }
}

type Offer = { readonly instrumentId: number; readonly bid: number; readonly ask: number }

/** The operator has vouched for a wrong price before, and now takes the right ones for wrong: within half of the last. */
function isComingBack({ instrumentId, bid }: Offer, accepted: ReadonlyMap<number, Offer>): boolean {
  const last = accepted.get(instrumentId)
  return !last || Math.abs(bid - last.bid) < last.bid / 2
}
