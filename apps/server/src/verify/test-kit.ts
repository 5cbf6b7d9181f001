import { lots } from '@fairlot/core'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Database, DatabaseKind, Queries } from '../database/open.ts'
import { openTraders } from '../testing/random-traders.ts'
import { marketOrder, orderIdOf, TEST_OPERATOR } from '../testing/test-world.ts'
import { openFloor } from '../testing/trading-floor.ts'
import { verify } from './verify.ts'

/** Half a minute before 17:00 in New York. */
const BEFORE_ROLLOVER = Date.UTC(2026, 0, 5, 21, 59, 30)
const STEPS = 150

/** A database in which everything has happened: fills, parts, reversals, trailing stops, a night, a stop-out, a reset. */
export async function tradedDatabase(database: Database): Promise<void> {
  const floor = await openFloor(database, { startAt: BEFORE_ROLLOVER })
  const traders = await openTraders(floor, 11)
  for (let step = 1; step <= STEPS; step += 1) await traders.step()
  const accountId = await floor.openAccount()
  const { engine } = floor
  await floor.tick(108_000)
  const orderId = orderIdOf(await engine.execute(marketOrder(accountId, { lots: lots(2_000) })))
  await engine.execute({ type: 'closePosition', accountId, orderId, lots: lots(500) })
  const gambler = await floor.openAccount()
  await engine.execute(marketOrder(gambler, { lots: lots(400_000), leverage: 100 }))
  await engine.execute({ type: 'haltInstrument', instrumentId: 1, reason: 'a test', by: TEST_OPERATOR })
  await engine.execute({ type: 'haltInstrument', instrumentId: 1, reason: null, by: TEST_OPERATOR })
  // Far below what the gambler has: the house lifts the account back to zero.
  await floor.tick(100_000)
  floor.clock.at += 3_600_000
  await floor.tick(100_010)
  await engine.caughtUp()
  expect(floor.errors).toEqual([])
  await engine.stop()
}

/** Plants a corruption, looks, and takes it back. */
export async function differenceWith(
  database: Database,
  plant: (queries: Queries) => Promise<unknown>,
): Promise<string | null> {
  let difference: string | null = null
  const undo = new Error('taken back')
  await database.queries
    .transaction()
    .execute(async (transaction) => {
      await unguard(transaction, database.kind)
      await plant(transaction)
      difference = (await verify(transaction)).difference
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
  return difference
}

/** Takes the guards off the append-only tables, as somebody who owns the database could. */
async function unguard(queries: Queries, kind: DatabaseKind): Promise<void> {
  if (kind === 'postgres')
    return void (await sql.raw('set local session_replication_role = replica').execute(queries))
  for (const table of ['journal', 'transfer', 'receipt', 'price_mark']) {
    for (const action of ['update', 'delete'])
      await sql.raw(`drop trigger ${table}_no_${action}`).execute(queries)
  }
}
