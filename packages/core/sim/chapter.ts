/** One chapter of the simulation: a world, a market, its users, the core and its twin. */
import { violations } from '../src/index.ts'
import { createWatch, type Watch } from './checks.ts'
import { createClock, type MarketClock } from './clock.ts'
import { compareAll } from './compare.ts'
import type { Counts } from './counts.ts'
import { createHost, type Host } from './host.ts'
import { createMarket, type Market } from './market.ts'
import type { Random } from './random.ts'
import { createTraders, type Traders } from './traders.ts'
import { startGuard } from './restart-guard.ts'
import type { TwinGuard } from './twin-guard.ts'
import { createTwinHours } from './twin-hours.ts'
import { createTwin, type Twin } from './twin-state.ts'
import { bringIntoForce } from './twin-terms.ts'
import { createWorld, type SimWorld } from './world.ts'

export type Chapter = {
  readonly random: Random
  readonly counts: Counts
  readonly world: SimWorld
  readonly host: Host
  readonly market: Market
  readonly traders: Traders
  readonly clock: MarketClock
  readonly twin: Twin
  readonly watch: Watch
  twinGuard: TwinGuard
  restartedAt: number | null
  /** Clocks in a row that found work due and did nothing. */
  readonly progress: { idle: number }
}

export function createChapter(random: Random, number: number, counts: Counts): Chapter {
  const world = createWorld(random, number)
  const hours = createTwinHours()
  const twin = createTwin({ settings: world.settings, hours })
  for (const event of world.seed.events) {
    if (event.type !== 'termsSet') throw new Error('a journal begins with terms')
    bringIntoForce(twin, event.change, world.startsAt)
    twin.lastChangeId = event.changeId
  }
  twin.notes.length = 0
  const host = createHost(world, random)
  return {
    random,
    counts,
    world,
    host,
    market: createMarket(world, twin, random),
    traders: createTraders(world, twin, random),
    clock: createClock(world, hours, random),
    twin,
    watch: createWatch(hours, world.seed),
    twinGuard: startGuard(host, twin),
    restartedAt: null,
    progress: { idle: 0 },
  }
}

/** All that core and twin may disagree about, and every invariant that is broken. */
export const compareEverything = ({ twin, host }: Chapter): string[] => [
  ...compareAll(twin, host.state),
  ...violations(host.state),
]
