/** What the tick guards know at a start: the seed's prices, and of the run before what its tables have kept. */
import {
  continueSequence,
  createTickGuard,
  expectPrice,
  price,
  resumeTicks,
  tickMemory,
} from '../src/index.ts'
import type { Host } from './host.ts'
import type { PlainQuote } from './plain.ts'
import { createReferenceGuard, type ReferenceGuard } from './reference/tick-guard.ts'
import type { ReferenceModel } from './reference/state.ts'

/** Makes both guards anew. Now and then a price was never saved, and the seed's is the last one known. */
export function startGuard(host: Host, model: ReferenceModel, before?: ReferenceGuard): ReferenceGuard {
  const { world, random } = host
  const old = host.guard
  host.guard = createTickGuard()
  const rests = {
    accepted: new Map<number, PlainQuote>(),
    mids: new Map<number, number>(),
    seqs: before?.seqs,
  }
  for (const { id } of world.instruments) {
    const reference = world.natures.get(id)?.reference ?? 1
    expectPrice(host.guard, id, price(reference))
    rests.mids.set(id, reference)
    const { last, seq } = tickMemory(old, id)
    continueSequence(host.guard, id, seq)
    const known = before?.accepted.get(id)
    if (!last || !known || random.chance(20)) continue
    resumeTicks(host.guard, last)
    rests.accepted.set(id, known)
    rests.mids.set(id, (known.bid + known.ask) / 2)
  }
  return createReferenceGuard(model, { ...rests, seqs: rests.seqs ?? new Map() })
}
