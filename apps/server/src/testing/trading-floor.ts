import type { Seed } from '@fairlot/core'
import { onTestFinished } from 'vitest'
import type { Database } from '../database/open.ts'
import { startEngine, type Engine, type EngineOptions } from '../engine/engine.ts'
import {
  accountIdOf,
  adoptSeed,
  EURUSD,
  quoteAt,
  START_OF_TEST,
  testSeed,
} from '../../../../testing/test-world.ts'

/** An engine with a clock that the test moves, and what went wrong inside it. */
export type Floor = {
  readonly engine: Engine
  readonly clock: { at: number }
  readonly errors: string[]
  /** Moves a price, that of the first instrument where none is named, and waits until what it fires is committed. */
  tick(bid: number, instrumentId?: number): Promise<void>
  /** Opens a demo account and returns its id. */
  openAccount(): Promise<number>
}

type FloorTerms = Pick<EngineOptions, 'onSteppedDown'> & {
  startAt?: number
  seed?: Seed
  onError?: () => void
}

export async function openFloor(
  database: Database,
  { startAt = START_OF_TEST, seed = testSeed(), onError, ...terms }: FloorTerms = {},
): Promise<Floor> {
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
      // Answered after the tick before it, and after what that fired was committed.
      await engine.execute({ type: 'cancelOrder', accountId: 0, orderId: 0 })
    },
    openAccount: async () => accountIdOf(await engine.execute({ type: 'openAccount', ledger: 'demo' })),
  }
}
