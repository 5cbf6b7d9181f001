/** A process that a test kills: it trades as fast as it can and writes a line for every answer. */
import { openDatabase } from '../platform/database/open.ts'
import { startEngine } from '../engine/engine.ts'
import {
  accountIdOf,
  adoptSeed,
  marketOrder,
  orderIdOf,
  quoteAt,
  START_OF_TEST,
} from '../../../../testing/test-world.ts'

/** A line of the output. */
export type AnsweredOrder = { accountId: number; requestId: string; orderId: number }

const TRADERS = 16
const [databaseUrl, dataDir = '', run = ''] = process.argv.slice(2)

const database = await openDatabase({ databaseUrl: databaseUrl || null, dataDir })
const engine = await startEngine({
  database,
  host: {},
  now: () => START_OF_TEST,
  onError: console.error,
})
await adoptSeed(engine)
engine.tick(quoteAt(108_469, START_OF_TEST))

async function trade(trader: number): Promise<void> {
  const accountId = accountIdOf(await engine.execute({ type: 'openAccount', ledger: 'demo' }))
  for (let count = 1; ; count += 1) {
    const request = { accountId, call: 'submit', id: `${run} ${trader} ${count}`, digest: '' }
    const orderId = orderIdOf(await engine.execute(marketOrder(accountId, { request })))
    const answered: AnsweredOrder = { accountId, requestId: request.id, orderId }
    // A pipe is written before the call returns, so the test knows what was answered.
    process.stdout.write(`${JSON.stringify(answered)}\n`)
    await engine.execute({ type: 'closePosition', accountId, orderId })
  }
}

await Promise.all(Array.from({ length: TRADERS }, (_, trader) => trade(trader)))
