/**
 * One episode of the simulation: a world, a market, its users, the core and its reference model. It also starts
 * the tick guards.
 */
import {
  continueSequence,
  createTickGuard,
  expectPrice,
  price,
  resumeTicks,
  tickMemory,
  violations,
} from '../src/index.ts'
import { type Host, createHost } from './host.ts'
import type { PlainQuote } from './plain-types.ts'
import { createReferenceGuard, type ReferenceGuard } from './reference/tick-guard.ts'
import { type ReferenceModel, createReferenceModel } from './reference/state.ts'
import { createWatch, type Watch } from './checks.ts'
import { createClock, type MarketClock } from './clock.ts'
import { compareAll } from './compare.ts'
import type { Counts } from './counts.ts'
import { createMarket, type Market } from './market.ts'
import type { Random } from '../../../testing/random.ts'
import { createTraders, type Traders } from './traders.ts'
import { createReferenceHours } from './reference/trading-hours.ts'
import { bringIntoForce } from './reference/terms.ts'
import { createWorld, type SimWorld } from './world.ts'

/**
 * Creates both tick guards: with the seed's prices, or with those that the last run saved. Now and then a price was
 * not saved.
 */
export function startGuard(host: Host, model: ReferenceModel, before?: ReferenceGuard): ReferenceGuard {
  const { world, random } = host
  const old = host.guard
  host.guard = createTickGuard()
  const persisted = {
    accepted: new Map<number, PlainQuote>(),
    mids: new Map<number, number>(),
    seqs: before?.seqs,
  }
  for (const { id } of world.instruments) {
    const reference = world.profiles.get(id)?.reference ?? 1
    expectPrice(host.guard, id, price(reference))
    persisted.mids.set(id, reference)
    const { last, seq } = tickMemory(old, id)
    continueSequence(host.guard, id, seq)
    const known = before?.accepted.get(id)
    if (!last || !known || random.chance(20)) continue
    resumeTicks(host.guard, last)
    persisted.accepted.set(id, known)
    persisted.mids.set(id, (known.bid + known.ask) / 2)
  }
  return createReferenceGuard(model, { ...persisted, seqs: persisted.seqs ?? new Map() })
}

export type Episode = {
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
  /** Clock commands in a row that found work due and did none of it. */
  readonly progress: { idle: number }
}

/** The command of a step and the problems found, for a report. */
export type Step = { command: unknown; problems: string[] }

export function createEpisode(random: Random, number: number, counts: Counts): Episode {
  const world = createWorld(random, number)
  const hours = createReferenceHours()
  const model = createReferenceModel({ settings: world.settings, hours })
  for (const event of world.seed.events) {
    if (event.type === 'rulesSet') continue
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

/** All differences between core and model, and every broken invariant. */
export const compareEverything = ({ model, host }: Episode): string[] => [
  ...compareAll(model, host.core.state),
  ...violations(host.core),
]
