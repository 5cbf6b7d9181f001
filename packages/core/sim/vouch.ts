/** An operator who vouches for a price that the guard holds out of bounds. */
import { isDeepStrictEqual } from 'node:util'
import { tickMemory, trustHeld } from '../src/index.ts'
import { show } from './canonical.ts'
import type { Chapter } from './chapter.ts'
import { TRADABLE } from './instruments.ts'
import type { Step } from './step.ts'
import { vouch } from './twin-guard.ts'

/** Furthest above its first price that a traded instrument is let go. */
const MOST_TIMES = 20

/**
 * Mostly where nobody trades: elsewhere every second price would be one of another world. Where they do trade, never for a
 * price at which positions are worth more than can be booked: what waits then is for the core's own tests.
 */
export function vouchForOne({ random, twinGuard, host, counts, world }: Chapter): Step | null {
  const { outsiders } = twinGuard
  if (outsiders.length === 0 || !random.chance(1)) return null
  const tick = random.pick(outsiders)
  const reference = world.natures.get(tick.instrumentId)?.reference ?? 1
  const isTraded = tick.instrumentId <= TRADABLE
  if (isTraded && Math.abs(tick.bid) > MOST_TIMES * reference) return null
  if (isTraded && !isComingBack(tick, twinGuard.accepted) && !random.chance(3)) return null
  const { instrumentId, source } = tick
  const held = tickMemory(host.guard, instrumentId).outside.get(source)
  const isTrusted = trustHeld(host.guard, instrumentId, source)
  vouch(twinGuard, tick)
  counts.hit('operator vouches for a price out of bounds')
  const isSame = isTrusted && isDeepStrictEqual(held, tick)
  return {
    command: { vouchedFor: tick },
    problems: isSame ? [] : [`held out of bounds\n  expected ${show(tick)}\n  got      ${show(held)}`],
  }
}

type Offer = { readonly instrumentId: number; readonly bid: number; readonly ask: number }

/** The operator has vouched for a wrong price before, and now takes the right ones for wrong: within half of the last. */
function isComingBack({ instrumentId, bid }: Offer, accepted: ReadonlyMap<number, Offer>): boolean {
  const last = accepted.get(instrumentId)
  return !last || Math.abs(bid - last.bid) < last.bid / 2
}
