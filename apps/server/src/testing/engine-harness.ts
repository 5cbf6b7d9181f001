import type { Seed } from '@fairlot/core'
import { onTestFinished } from 'vitest'
import type { Database } from '../platform/database/open.ts'
import { startEngine, type Engine, type EngineOptions } from '../engine/engine.ts'
import {
  accountIdOf,
  adoptSeed,
  EURUSD,
  quoteAt,
  START_OF_TEST,
  testSeed,
} from '../../../../testing/test-world.ts'

/** An engine with a clock that the test moves, and its errors. */
export type Harness = {
  readonly engine: Engine
  readonly clock: { at: number }
  readonly errors: string[]
  /** Sets a price, by default of EURUSD, and waits until the orders that it triggers are committed. */
  tick(bid: number, instrumentId?: number): Promise<void>
  /** Opens a demo account and returns its id. */
  openAccount(): Promise<number>
}

type HarnessOptions = Pick<EngineOptions, 'onSteppedDown'> & {
  startAt?: number
  seed?: Seed
  onError?: () => void
}

export async function createHarness(
  database: Database,
  { startAt = START_OF_TEST, seed = testSeed(), onError, ...terms }: HarnessOptions = {},
): Promise<Harness> {
  const clock = { at: startAt }
  const errors: string[] = []
  const engine = await startEngine({
    ...terms,
    database,
    host: {},
    now: () => clock.at,
    onError: (error, doing) => {
      errors.push(`${doing}: ${String(error)}`)
      onError?.()
    },
  })
  onTestFinished(() => engine.stop())
  await adoptSeed(engine, seed)
  let seq = 0
  return {
    engine,
    clock,
    errors,
    tick: async (bid, instrumentId = EURUSD.id) => {
      seq += 1
      engine.tick({ ...quoteAt(bid, clock.at, seq), instrumentId })
      // The answer comes after the tick is handled and the orders that it triggers are committed.
      await engine.execute({ type: 'cancelOrder', accountId: 0, orderId: 0 })
    },
    openAccount: async () => accountIdOf(await engine.execute({ type: 'openAccount', ledger: 'demo' })),
  }
}
