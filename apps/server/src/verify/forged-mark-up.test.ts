import { ratio, type ReceiptTick } from '@fairlot/core'
import { expect, it } from 'vitest'
import { entryOf, EURUSD, marketOrder } from '../../../../testing/test-world.ts'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { operatorOf } from '../testing/random-commands.ts'
import { openFloor } from '../testing/trading-floor.ts'
import { differenceWith, forgeEvent } from './test-kit.ts'

onEveryDatabase('verify of mark-ups', (databases) => {
  it('finds a price with another mark-up than its terms name', async () => {
    const database = await databases.open()
    const { engine, clock, tick, openAccount } = await openFloor(database)
    const accountId = await openAccount()
    await tick(108_000)
    const setMarkUp = async (markUp: number) => {
      const change = {
        kind: 'instrument' as const,
        instrument: { ...EURUSD, markUp: ratio(markUp) },
        listing: null,
      }
      entryOf(await engine.execute({ type: 'setTerms', by: operatorOf(1, 9), effectiveAt: null, change }))
    }
    const trade = async () => void entryOf(await engine.execute(marketOrder(accountId)))
    await setMarkUp(100)
    // By the price of before, and in the moment of the change.
    await trade()
    await tick(108_000)
    await trade()
    clock.at += 1_000
    await tick(108_000)
    await trade()
    await setMarkUp(40)
    await trade()
    clock.at += 1_000
    await tick(108_001)
    await trade()
    await engine.caughtUp()
    expect(await differenceWith(database, () => Promise.resolve())).toBeNull()
    /** A fill, with another mark-up in its receipt. */
    const forged = (orderId: number, other: Partial<ReceiptTick>) =>
      differenceWith(database, (queries) =>
        forgeEvent(queries, (event) => {
          if (event.type !== 'positionOpened' || event.orderId !== orderId || !event.receipt.tick) return null
          const { markUp: _, ...tick } = event.receipt.tick
          return { ...event, receipt: { ...event.receipt, tick: { ...tick, ...other } } }
        }),
      )
    expect(await forged(3, {})).toMatch(/positionOpened of order 3: mark-up is 0, it should be 11/)
    expect(await forged(4, { markUp: 3 })).toMatch(/positionOpened of order 4: mark-up is 3, it should be 11/)
    expect(await forged(5, { markUp: 11 })).toMatch(
      /positionOpened of order 5: mark-up is 11, it should be 4/,
    )
  })
})
