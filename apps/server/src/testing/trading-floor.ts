import { onTestFinished } from 'vitest'
import type { Database } from '../database/open.ts'
import { startEngine, type Engine } from '../engine/engine.ts'
import { accountIdOf, adoptSeed, quoteAt, START_OF_TEST } from './test-world.ts'

/** An engine with a clock that the test moves, and what went wrong inside it. */
export type Floor = {
  readonly engine: Engine
  readonly clock: { at: number }
  readonly errors: string[]
  /** Moves the price and waits until what it fires is committed. */
  tick(bid: number): Promise<void>
  /** Opens a demo account and returns its id. */
  openAccount(): Promise<number>
}

export async function openFloor(
  database: Database,
  given: { startAt?: number; onError?: () => void; onSteppedDown?: (reason: string) => void } = {},
): Promise<Floor> {
  const clock = { at: given.startAt ?? START_OF_TEST }
  const errors: string[] = []
  const engine = await startEngine({
    database,
    host: {},
    now: () => clock.at,
    ...(given.onSteppedDown && { onSteppedDown: given.onSteppedDown }),
    onError: (error, doing) => {
      errors.push(`${doing}: ${String(error)}`)
      given.onError?.()
    },
  })
  onTestFinished(() => engine.stop())
  await adoptSeed(engine)
  let seq = 0
  return {
    engine,
    clock,
    errors,
    tick: async (bid) => {
      seq += 1
      engine.tick(quoteAt(bid, clock.at, seq))
      // Answered after the tick before it, and after what that fired was committed.
      await engine.execute({ type: 'cancelOrder', accountId: 0, orderId: 0 })
    },
    openAccount: async () => accountIdOf(await engine.execute({ type: 'openAccount', ledger: 'demo' })),
  }
}
