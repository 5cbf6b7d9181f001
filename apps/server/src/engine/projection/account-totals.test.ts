import { lots, money } from '@fairlot/core'
import type { KyselyPlugin } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Queries } from '../../platform/database/open.ts'
import { withFaults } from '../../testing/faulty-database.ts'
import { everyDatabase } from '../../testing/on-every-database.ts'
import { openTraders } from '../../testing/random-commands.ts'
import { marketOrder, orderIdOf } from '../../../../../testing/test-world.ts'
import { createHarness } from '../../testing/engine-harness.ts'
import { createAccountTotals } from './account-totals.ts'

const STEPS = 150

/** Queries that count how many are run. */
function counted(queries: Queries): { queries: Queries; queryCount: () => number } {
  let count = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      count += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return { queries: queries.withPlugin(plugin), queryCount: () => count }
}

describe.each(everyDatabase)('the totals of an account, $kind', (databases) => {
  it.each([3, 4])('match its rows after random commands (seed %i)', async (seed) => {
    const database = await databases.open()
    const harness = await createHarness(database)
    const traders = await openTraders(harness, seed)
    const { engine } = harness
    const totals = createAccountTotals(engine, database.queries)
    const accountIds = [...engine.state().accounts.keys()]
    for (let step = 1; step <= STEPS; step += 1) {
      await traders.step()
      // Some accounts are counted early and then followed, others late.
      const accountId = accountIds[step % accountIds.length] ?? 0
      if (step % 7 !== 0) continue
      const found = await totals.of(accountId)
      await engine.caughtUp()
      expect(found).toEqual(await createAccountTotals(engine, database.queries).of(accountId))
    }
    const ended = await Promise.all(accountIds.map((accountId) => totals.of(accountId)))
    expect(Math.min(...ended.map(({ endedOrders }) => endedOrders))).toBeGreaterThan(3)
  })

  it('count closed orders with their parts, profit and ledger rows', async () => {
    const database = await databases.open()
    const { engine, tick, openAccount } = await createHarness(database)
    const totals = createAccountTotals(engine, database.queries)
    const [accountId, other] = [await openAccount(), await openAccount()]
    expect(await totals.of(accountId)).toEqual({
      endedOrders: 0,
      profit: 0n,
      transfers: new Map([['demoIssue', 1]]),
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

  it('are counted once, for any number of concurrent callers and later changes', async () => {
    const database = await databases.open()
    const { engine, tick, openAccount } = await createHarness(database)
    const { queries, queryCount } = counted(database.queries)
    const totals = createAccountTotals(engine, queries)
    const accountId = await openAccount()
    await tick(108_000)
    await Promise.all([totals.of(accountId), totals.of(accountId), totals.of(accountId)])
    for (let count = 1; count <= 5; count += 1) {
      const orderId = orderIdOf(await engine.execute(marketOrder(accountId)))
      await engine.execute({ type: 'closePosition', accountId, orderId })
      expect((await totals.of(accountId)).endedOrders).toBe(count)
    }
    // One query for the orders, one for the ledger rows.
    expect(queryCount()).toBe(2)
  })

  it('include orders that close while they are counted', async () => {
    const database = await databases.open()
    const { engine, tick, openAccount } = await createHarness(database)
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

  it('stay correct after a commit whose answer was lost', async () => {
    const { database, faults } = withFaults(await databases.open())
    const { engine, tick, openAccount } = await createHarness(database)
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
