import { lots, money } from '@fairlot/core'
import type { KyselyPlugin } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Queries } from '../../database/open.ts'
import { withFaults } from '../../testing/faulty-database.ts'
import { everyDatabase } from '../../testing/on-every-database.ts'
import { openTraders } from '../../testing/random-traders.ts'
import { marketOrder, orderIdOf } from '../../../../../testing/test-world.ts'
import { openFloor } from '../../testing/trading-floor.ts'
import { createAccountTotals } from './account-totals.ts'

const STEPS = 150

/** Queries that are counted. */
function counted(queries: Queries): { queries: Queries; asked: () => number } {
  let count = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      count += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return { queries: queries.withPlugin(plugin), asked: () => count }
}

describe.each(everyDatabase)('the totals of an account, $kind', (databases) => {
  it.each([3, 4])('are those of its rows after whatever happens to it (seed %i)', async (seed) => {
    const database = await databases.open()
    const floor = await openFloor(database)
    const traders = await openTraders(floor, seed)
    const { engine } = floor
    const totals = createAccountTotals(engine, database.queries)
    const accountIds = [...engine.state().accounts.keys()]
    for (let step = 1; step <= STEPS; step += 1) {
      await traders.step()
      // Some are asked for early and go along, some late.
      const accountId = accountIds[step % accountIds.length] ?? 0
      if (step % 7 !== 0) continue
      const found = await totals.of(accountId)
      await engine.caughtUp()
      expect(found).toEqual(await createAccountTotals(engine, database.queries).of(accountId))
    }
    const ended = await Promise.all(accountIds.map((accountId) => totals.of(accountId)))
    expect(Math.min(...ended.map(({ endedOrders }) => endedOrders))).toBeGreaterThan(3)
  })

  it('are told from the rows: ended orders with their parts, profit, ledger rows', async () => {
    const database = await databases.open()
    const { engine, tick, openAccount } = await openFloor(database)
    const totals = createAccountTotals(engine, database.queries)
    const [accountId, other] = [await openAccount(), await openAccount()]
    expect(await totals.of(accountId)).toEqual({
      ...{ endedOrders: 0, profit: 0n, transfers: new Map([['demoIssue', 1]]) },
    })
    await tick(108_000)
    const orderId = orderIdOf(await engine.execute(marketOrder(accountId, { lots: lots(2_000) })))
    await engine.execute({ type: 'closePosition', accountId, orderId, lots: lots(500) })
    await engine.execute({ type: 'closePosition', accountId, orderId })
    await engine.execute(marketOrder(other))
    // Three ticks of spread on 0.2 lots; issue, fee and two results.
    const transfers = new Map([
      ['demoIssue', 1],
      ['fee', 1],
      ['result', 2],
    ])
    const expected = { endedOrders: 2, profit: money(-600_000n), transfers }
    expect(await totals.of(accountId)).toEqual(expected)
    expect(await createAccountTotals(engine, database.queries).of(accountId)).toEqual(expected)
  })

  it('are counted once, however many ask at once and whatever happens afterwards', async () => {
    const database = await databases.open()
    const { engine, tick, openAccount } = await openFloor(database)
    const { queries, asked } = counted(database.queries)
    const totals = createAccountTotals(engine, queries)
    const accountId = await openAccount()
    await tick(108_000)
    await Promise.all([totals.of(accountId), totals.of(accountId), totals.of(accountId)])
    for (let count = 1; count <= 5; count += 1) {
      const orderId = orderIdOf(await engine.execute(marketOrder(accountId)))
      await engine.execute({ type: 'closePosition', accountId, orderId })
      expect((await totals.of(accountId)).endedOrders).toBe(count)
    }
    // Once the orders, once the rows of the ledger.
    expect(asked()).toBe(2)
  })

  it('hold for orders that end while they are counted', async () => {
    const database = await databases.open()
    const { engine, tick, openAccount } = await openFloor(database)
    const accountId = await openAccount()
    await tick(108_000)
    const orderIds: number[] = []
    for (let count = 0; count < 20; count += 1)
      orderIds.push(orderIdOf(await engine.execute(marketOrder(accountId))))
    const totals = createAccountTotals(engine, database.queries)
    const closing = orderIds.map((orderId) => engine.execute({ type: 'closePosition', accountId, orderId }))
    await Promise.all([...orderIds.map(() => totals.of(accountId)), ...closing])
    expect((await totals.of(accountId)).endedOrders).toBe(20)
  })

  it('outlive a commit whose answer was lost', async () => {
    const { database, faults } = withFaults(await databases.open())
    const { engine, tick, openAccount } = await openFloor(database)
    const accountId = await openAccount()
    await tick(108_000)
    const totals = createAccountTotals(engine, database.queries)
    for (const fault of ['afterCommit', 'beforeCommit'] as const) {
      const orderId = orderIdOf(await engine.execute(marketOrder(accountId)))
      await totals.of(accountId)
      faults.add(fault)
      const closing = engine.execute({ type: 'closePosition', accountId, orderId })
      await new Promise((resolve) => setImmediate(resolve))
      faults.clear()
      await closing
      await engine.caughtUp()
      const fresh = await createAccountTotals(engine, database.queries).of(accountId)
      expect(await totals.of(accountId)).toEqual(fresh)
    }
  })
})
