import type { FeedInstrument } from '../feed.ts'
import { createModel } from './model.ts'
import { createQuoter, type SimulatedTick } from './quoter.ts'
import { createRandom } from './random.ts'
import { createWalk } from './walk.ts'

export type SimulatedMarket = {
  /** Moves the market by `dtMs` and answers with the instruments that tick: all of them in the first step. */
  step(dtMs: number): SimulatedTick[]
  /** True price of an instrument now, in units of its quote currency: what its quotes are set around. */
  truePrice(code: string): number
}

/**
 * A market that never closes: the same for the same instruments, seed and steps, whatever the wall time. `startFrom` holds
 * last prices by code, in units of the quote currency; others start at their reference price.
 *
 * A quote always encloses the true price, and the true price of a cross is the exact ratio of its legs, so no round trip
 * over several pairs ever earns anything.
 */
export function createSimulatedMarket(
  instruments: readonly FeedInstrument[],
  seed: string,
  startFrom?: ReadonlyMap<string, number>,
): SimulatedMarket {
  const walk = createWalk(createModel(instruments, startFrom), seed)
  const quoters = instruments.map((instrument) => ({
    code: instrument.code,
    quote: createQuoter(instrument, createRandom(seed, `quotes:${instrument.code}`)),
  }))
  const truePrice = (code: string) => Math.exp(walk.log(code))
  let now = 0
  return {
    truePrice,
    step(dtMs) {
      walk.step(dtMs)
      now += dtMs
      return quoters.flatMap(({ code, quote }) => quote(truePrice(code), now) ?? [])
    },
  }
}
