import { decimalText, fromUnits, lots, MONEY_DECIMALS } from '@fairlot/core'
import { describe, expect, test } from 'vitest'
import { marketOrder } from '../../../../../testing/test-world.ts'
import { createHarness } from '../../testing/engine-harness.ts'
import { everyDatabase } from '../../testing/on-every-database.ts'
import { accountFacts } from './money-cases.ts'

describe.each(everyDatabase)('the facts of an account, $kind', (databases) => {
  test('name the most that may be withdrawn at fresh prices, as the engine decides it', async () => {
    const harness = await createHarness(await databases.open())
    const { engine, clock } = harness
    const accountId = await harness.openAccount()
    await harness.tick(110_000)
    await engine.execute(marketOrder(accountId, { lots: lots(10_000), leverage: 100 }))
    const most = () => {
      const facts = accountFacts(engine.core(), accountId, clock.at)
      return facts.find(({ label }) => label === 'Maximum withdrawable')?.value
    }
    const [order] = [...(engine.state().accounts.get(accountId)?.orders.values() ?? [])]
    const margin = order && 'margin' in order ? order.margin : 0n
    expect(margin).toBeGreaterThan(0n)
    const fresh = Number(most())
    // The price falls silent: its position counts as having lost its margin.
    clock.at += 3_600_000
    const lost = Number(decimalText(fromUnits(margin, MONEY_DECIMALS)))
    expect(Number(most())).toBeLessThan(fresh - lost / 2)
  })
})
