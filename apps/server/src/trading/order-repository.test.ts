import { expect, it } from 'vitest'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { entryOf, marketOrder } from '../testing/test-world.ts'
import { openFloor } from '../testing/trading-floor.ts'
import { createOrderRepository } from './order-repository.ts'

onEveryDatabase('what close all left open', (databases) => {
  it('does not count what was opened after it in the same millisecond', async () => {
    const database = await databases.open()
    const { engine, clock, tick, openAccount } = await openFloor(database)
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
    const { leftOpen } = createOrderRepository(database.queries)
    expect(await leftOpen(accountId, at)).toBe(0)
    expect(await leftOpen(accountId, at + 1)).toBe(1)
  })
})
