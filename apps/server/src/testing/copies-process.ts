/**
 * A process that is killed while the copies of a provider's order follow: between two turns, or right after the
 * commit.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openDatabase } from '../platform/database/open.ts'
import { startEngine } from '../engine/engine.ts'
import { accountIdOf, adoptSeed, quoteAt, START_OF_TEST } from '../../../../testing/test-world.ts'
import { buyOneLot, publishStrategy } from './copying-setup.ts'

/** When the process is killed. */
export type KillMoment = 'betweenTurns' | 'committed'
/** What the provider does: a market order, or the close of all positions. */
export type ProviderAct = 'open' | 'close'

const COPIES = 600
/** The first account. */
const PROVIDER = 1
const [databaseUrl, dataDir = '', moment, act] = process.argv.slice(2) as [
  string | undefined,
  string | undefined,
  KillMoment,
  ProviderAct,
]

const database = await openDatabase({ databaseUrl: databaseUrl || null, dataDir })
const engine = await startEngine({ database, host: {}, now: () => START_OF_TEST, onError: console.error })
await adoptSeed(engine)
const tick = async (bid: number) => {
  engine.tick(quoteAt(bid, START_OF_TEST))
  // The answer comes after the tick is handled.
  await engine.execute({ type: 'cancelOrder', accountId: 0, orderId: 0 })
}
const openAccount = async () => accountIdOf(await engine.execute({ type: 'openAccount', ledger: 'demo' }))
if (engine.state().accounts.size === 0) await publishStrategy({ engine, tick, openAccount }, COPIES)
else await tick(108_469)

/** The test itself would be too late. */
const end = (): void => void process.kill(process.pid, 'SIGKILL')

if (moment === 'committed')
  engine.onCommitted(({ entry }) => {
    if (entry.events.some((event) => event.type === 'positionOpened' && event.copied)) end()
  })
const answer =
  act === 'open'
    ? engine.execute(buyOneLot(PROVIDER))
    : engine.execute({ type: 'closeAll', accountId: PROVIDER })
let isAnswered = false
void answer.then(() => (isAnswered = true))
while (!isAnswered) {
  await nextTurn()
  if (moment === 'betweenTurns' && engine.core().unfinished?.isRowOpen) end()
}
// Not killed: the test reports it.
process.exit(1)
