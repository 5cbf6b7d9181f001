import { price } from '@fairlot/core'
import { expect, it } from 'vitest'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { entryOf, marketOrder, orderIdOf } from '../../../../testing/test-world.ts'
import { createHarness } from '../testing/engine-harness.ts'
import { createOrderRepository } from './order-queries.ts'

onEveryDatabase('the number of positions left open by close all', (databases) => {
  it('leaves out positions opened after it in the same millisecond', async () => {
    const database = await databases.open()
    const { engine, clock, tick, openAccount } = await createHarness(database)
    const accountId = await openAccount()
    await tick(108_000)
    await engine.execute(marketOrder(accountId))
    clock.at += 1
    const [, closed] = await Promise.all([
      engine.execute(marketOrder(accountId)),
      engine.execute({ type: 'closeAll', accountId }),
      engine.execute(marketOrder(accountId)),
    ])
    const { at, events } = entryOf(closed)
    expect(events).toHaveLength(2)
    await engine.caughtUp()
    const { remainingCount } = createOrderRepository(database.queries)
    expect(await remainingCount(accountId, at)).toBe(0)
    expect(await remainingCount(accountId, at + 1)).toBe(1)
  })
})

onEveryDatabase('the history of orders', (databases) => {
  it('lists closed and cancelled ones together, the latest first, each on one page', async () => {
    const database = await databases.open()
    const { engine, clock, tick, openAccount } = await createHarness(database)
    const [accountId, other] = [await openAccount(), await openAccount()]
    await tick(108_000)
    const oldest = orderIdOf(await engine.execute(marketOrder(accountId)))
    const ended: number[] = []
    for (let count = 0; count < 25; count += 1) {
      const isPending = count % 3 === 0
      const command = marketOrder(accountId, isPending ? { targetPrice: price(107_000) } : {})
      const orderId = orderIdOf(await engine.execute(command))
      await engine.execute({ type: isPending ? 'cancelOrder' : 'closePosition', accountId, orderId })
      ended.unshift(orderId)
      // Active orders and those of others are left out.
      await engine.execute(marketOrder(count % 2 === 0 ? accountId : other))
    }
    clock.at += 1
    await engine.execute({ type: 'closePosition', accountId, orderId: oldest })
    ended.unshift(oldest)
    await engine.caughtUp()
    const { history } = createOrderRepository(database.queries)
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => history(accountId, { page, before: null, limit: 10 })),
    )
    expect(pages.map((page) => page?.map(({ id }) => id))).toEqual([
      ended.slice(0, 10),
      ended.slice(10, 20),
      ended.slice(20),
      [],
    ])
  })
})
