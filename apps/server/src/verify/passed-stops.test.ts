import { DEPLOYMENT, price, type Event } from '@fairlot/core'
import { expect, it } from 'vitest'
import { EURUSD, marketOrder, testSeed } from '../../../../testing/test-world.ts'
import { createHarness } from '../testing/engine-harness.ts'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { differenceWith, forgeEvent } from './test-kit.ts'
import { verify } from './verify.ts'

const WISH = { targetPrice: price(108_100), takeProfit: price(108_200) }
/** A tick beyond target and take profit. */
const GAP = 108_300

onEveryDatabase('verify of a pending order that a gap carries beyond its take profit', (databases) => {
  it('finds that it was rightly not opened, and names one that was wrongly not opened', async () => {
    const database = await databases.open()
    const { engine, tick, openAccount } = await createHarness(database)
    const accountId = await openAccount()
    await tick(108_000)
    await engine.execute(marketOrder(accountId, WISH))
    await tick(GAP)
    await engine.caughtUp()
    expect((await verify(database)).difference).toBeNull()
    const forged = (change: (event: Event & { type: 'orderCancelled' }) => Event) =>
      differenceWith(database, (queries) =>
        forgeEvent(queries, (event) => (event.type === 'orderCancelled' ? change(event) : null)),
      )
    const difference = await forged((event) => {
      const { tick: named } = event.receipt
      if (!named) throw new Error('the receipt names no tick')
      const before = { ...named, bid: price(108_150), ask: price(108_153) }
      return { ...event, receipt: { ...event.receipt, tick: before } }
    })
    expect(difference).toMatch(/stop was already passed is false, it should be true/)
  })

  it('finds no fault in one opened by the rules before', async () => {
    const database = await databases.open()
    const { engine, tick, openAccount } = await createHarness(database, { seed: { ...testSeed(), rules: 2 } })
    const accountId = await openAccount()
    await tick(108_000)
    await engine.execute(marketOrder(accountId, WISH))
    await tick(GAP)
    expect(engine.state().orders.get(1)).toMatchObject({ instrumentId: EURUSD.id, status: 'holding' })
    await engine.execute({ type: 'setRules', rules: 3, by: DEPLOYMENT })
    await tick(GAP + 1)
    await engine.caughtUp()
    expect((await verify(database)).difference).toBeNull()
  })
})
