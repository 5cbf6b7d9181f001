/** A process that is killed during a rollover: at its first commit with swaps of some of many positions. */
import { rolloverBefore } from '@fairlot/core'
import { openDatabase } from '../platform/database/open.ts'
import { startEngine } from '../engine/engine.ts'
import {
  accountIdOf,
  adoptSeed,
  entryOf,
  marketOrder,
  quoteAt,
  START_OF_TEST,
} from '../../../../testing/test-world.ts'

const ACCOUNTS = 40
const POSITIONS_EACH = 60
const DAY_MS = 86_400_000
/** The first rollover after the positions were opened, epoch ms. */
const ROLLOVER = rolloverBefore(START_OF_TEST + DAY_MS)
const [databaseUrl, dataDir = ''] = process.argv.slice(2)

const database = await openDatabase({ databaseUrl: databaseUrl || null, dataDir })
let at = START_OF_TEST
const engine = await startEngine({ database, host: {}, now: () => at, onError: console.error })
await adoptSeed(engine)
if (engine.state().accounts.size === 0) {
  engine.tick(quoteAt(108_469, at))
  const open = () => engine.execute({ type: 'openAccount', ledger: 'demo' })
  const accounts = (await Promise.all(Array.from({ length: ACCOUNTS }, open))).map(accountIdOf)
  const orders = accounts.flatMap((accountId) =>
    Array.from({ length: POSITIONS_EACH }, () => engine.execute(marketOrder(accountId))),
  )
  for (const answer of await Promise.all(orders)) entryOf(answer)
}
engine.onCommitted(({ entry }) => {
  const count = entry.events.filter(({ type }) => type === 'swapBooked').length
  if (count === 0) return
  // A pipe is written before the call returns, so the test knows what was committed.
  process.stdout.write(`${count}\n`)
  // The test itself would be too late.
  process.kill(process.pid, 'SIGKILL')
})
at = ROLLOVER
engine.tick(quoteAt(108_469, at, 2))
