import { price } from '@fairlot/core'
import { openDatabase, type Database } from '../apps/server/src/platform/database/open.ts'
import { isNotDone, startEngine, type Engine } from '../apps/server/src/engine/engine.ts'
import { adoptSeed, EURUSD, testSeed } from '../testing/test-world.ts'
import type { Later } from './with-cleanup.ts'
import { writeCrowd } from './postgres/crowd.ts'
import { benchDatabase } from './postgres/pgbench.ts'

export type CrowdedEngine = {
  readonly instruments: number
  readonly accounts: number
  readonly positions: number
  /** The price at which all positions were opened, in ticks. */
  readonly price: number
  /** Epoch ms. */
  readonly now: () => number
  /** Wraps the database that the engine is given; the plain one when left out. */
  readonly through?: (database: Database) => Database
}

/** An engine on its own PostgreSQL database, with or without existing positions; all instruments have swap rates. */
export async function crowdedEngine(
  later: Later,
  { instruments, accounts, positions, price: at, now, through = (database) => database }: CrowdedEngine,
): Promise<{ engine: Engine; database: Database }> {
  const place = await benchDatabase()
  later({ stop: place.drop })
  const database = await openDatabase({ databaseUrl: place.url, dataDir: '' })
  later({ stop: database.close })
  if (positions > 0) {
    const openPrices = Array.from({ length: instruments }, (_, index) => ({
      instrumentId: index + 1,
      price: at,
    }))
    await writeCrowd(place.url, { accounts, positions, openPrices, openedAt: now() })
  }
  const engine = later(
    await startEngine({
      database: through(database),
      host: {},
      now,
      onError: (error, doing) => console.error(`While ${doing}:`, error),
    }),
  )
  const seed = testSeed({
    settings: { ...testSeed().settings, freshnessMs: 600_000 },
    instruments: Array.from({ length: instruments }, (_, index) => ({
      ...EURUSD,
      id: index + 1,
      code: index === 0 ? 'EURUSD' : `EURUSD${index}`,
      minStopDistance: price(1),
    })),
  })
  await adoptSeed(engine, seed)
  return { engine, database }
}

/** Resolves once everything sent before is decided and committed, however long that takes. */
export async function allDecided(engine: Engine): Promise<void> {
  while (isNotDone(await engine.execute({ type: 'cancelOrder', accountId: 0, orderId: 0 }))) continue
}
