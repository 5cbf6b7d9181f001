import { lots, money, ratio, type Money } from '@fairlot/core'
import { entryOf, marketOrder } from '../../../../testing/test-world.ts'
import type { Harness } from './engine-harness.ts'

/** Dollars. */
export const usd = (whole: number): Money => money(BigInt(whole) * 1_000_000n)

const TERMS = { multiplier: ratio(1_000_000), exposureLimit: 30, stopLoss: 10 }

/** A provider, by default with a fee of 20 %, and copies of 20,000 by users of their own, at a first price. */
export async function publishStrategy(
  harness: Pick<Harness, 'engine' | 'tick' | 'openAccount'>,
  copies: number,
) {
  const { engine } = harness
  const accountId = await harness.openAccount()
  await harness.tick(108_469)
  entryOf(await engine.execute({ type: 'publishStrategy', accountId, feeShare: ratio(200_000) }))
  const started = Array.from({ length: copies }, async () => {
    const ownerId = await harness.openAccount()
    const answer = await engine.execute({
      type: 'startCopy',
      accountId: ownerId,
      strategyId: 1,
      amount: usd(20_000),
      terms: TERMS,
      isWithOpenOrders: false,
    })
    const [event] = entryOf(answer).events
    return { ownerId, copyId: event?.type === 'copyStarted' ? event.accountId : 0 }
  })
  return { accountId, copies: await Promise.all(started) }
}

/** A market order over one lot. */
export const buyOneLot = (accountId: number) => marketOrder(accountId, { lots: lots(10_000) })
