import { openDatabase, type Database } from '../apps/server/src/platform/database/open.ts'
import { startEngine, type Answer, type Engine } from '../apps/server/src/engine/engine.ts'
import { accountIdOf, adoptSeed, marketOrder, orderIdOf, quoteAt, testSeed } from '../testing/test-world.ts'
import { benchDatabase } from './postgres/pgbench.ts'

const ACCOUNTS = 100

const now = (): number => Math.floor(performance.timeOrigin + performance.now())

/** An engine on a fresh PostgreSQL database, with accounts that trade one instrument. */
export type BenchEngine = {
  readonly engine: Engine
  readonly database: Database
  readonly accounts: readonly number[]
  stop(): Promise<void>
}

export async function startBenchEngine(): Promise<BenchEngine> {
  const place = await benchDatabase()
  const database = await openDatabase({ databaseUrl: place.url, dataDir: '' })
  const onError = (error: unknown, doing: string) => console.error(`While ${doing}:`, error)
  const settings = { ...testSeed().settings, freshnessMs: 600_000 }
  const engine = await startEngine({ database, host: {}, now, onError })
  await adoptSeed(engine, testSeed({ settings }))
  const open = () => engine.execute({ type: 'openAccount', ledger: 'demo' })
  const accounts = (await Promise.all(Array.from({ length: ACCOUNTS }, open))).map(accountIdOf)
  engine.tick(quoteAt(108_469, now()))
  const stop = async () => {
    await engine.stop()
    await database.close()
    await place.drop()
  }
  return { engine, database, accounts, stop }
}

/**
 * Open positions per trader: so many that a position is hardly ever written to the tables together with its close.
 */
const HELD = 30

/**
 * Traders who open a position, wait for the answer, close their oldest, and so on. Returns the number of answers;
 * each is for a change that is in the journal.
 */
export async function trade(
  { engine, accounts }: BenchEngine,
  load: { inFlight: number; seconds: number },
): Promise<number> {
  const end = performance.now() + load.seconds * 1_000
  let answers = 0
  const accepted = (answer: Answer): Answer => {
    if (!('entry' in answer)) throw new Error(`an order was not accepted: ${Object.keys(answer).join()}`)
    answers += 1
    return answer
  }
  const trader = async (accountId: number) => {
    const held: number[] = []
    while (performance.now() < end) {
      held.push(orderIdOf(accepted(await engine.execute(marketOrder(accountId)))))
      const orderId = held.length > HELD ? held.shift() : undefined
      if (orderId) accepted(await engine.execute({ type: 'closePosition', accountId, orderId }))
    }
  }
  const traders = Array.from({ length: load.inFlight }, (_, index) => accounts[index % accounts.length] ?? 0)
  await Promise.all(traders.map(trader))
  return answers
}
