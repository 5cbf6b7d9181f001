/** One chapter of the simulation: a world, a market, its users, the core and its reference model. */
import { violations } from '../src/index.ts'
import { createWatch, type Watch } from './checks.ts'
import { createClock, type MarketClock } from './clock.ts'
import { compareAll } from './compare.ts'
import type { Counts } from './counts.ts'
import { createHost, type Host } from './host.ts'
import { createMarket, type Market } from './market.ts'
import type { Random } from '../../../testing/random.ts'
import { createTraders, type Traders } from './traders.ts'
import { startGuard } from './restart-guard.ts'
import type { ReferenceGuard } from './reference/tick-guard.ts'
import { createReferenceHours } from './reference/trading-hours.ts'
import { createReferenceModel, type ReferenceModel } from './reference/state.ts'
import { bringIntoForce } from './reference/terms.ts'
import { createWorld, type SimWorld } from './world.ts'

export type Chapter = {
  readonly random: Random
  readonly counts: Counts
  readonly world: SimWorld
  readonly host: Host
  readonly market: Market
  readonly traders: Traders
  readonly clock: MarketClock
  readonly model: ReferenceModel
  readonly watch: Watch
  referenceGuard: ReferenceGuard
  restartedAt: number | null
  /** Clocks in a row that found work due and did nothing. */
  readonly progress: { idle: number }
}

/** What was done, for a report. */
export type Step = { command: unknown; problems: string[] }

export function createChapter(random: Random, number: number, counts: Counts): Chapter {
  const world = createWorld(random, number)
  const hours = createReferenceHours()
  const model = createReferenceModel({ settings: world.settings, hours })
  for (const event of world.seed.events) {
    if (event.type !== 'termsSet') throw new Error('a journal begins with terms')
    bringIntoForce(model, event.change, world.startsAt)
    model.lastChangeId = event.changeId
  }
  model.notes.length = 0
  const host = createHost(world, random)
  return {
    random,
    counts,
    world,
    host,
    market: createMarket(world, model, random),
    traders: createTraders(world, model, random),
    clock: createClock(world, hours, random),
    model,
    watch: createWatch(hours, world.seed),
    referenceGuard: startGuard(host, model),
    restartedAt: null,
    progress: { idle: 0 },
  }
}

/** All that core and model may disagree about, and every invariant that is broken. */
export const compareEverything = ({ model, host }: Chapter): string[] => [
  ...compareAll(model, host.core.state),
  ...violations(host.core),
]
