import { lots, money, ratio } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import { marketOrder } from '../../../../../testing/test-world.ts'
import { openSimulation } from '../../testing/journal-simulation.ts'
import { everyDatabase } from '../../testing/on-every-database.ts'
import { operatorOf, quoteOf } from '../../testing/random-commands.ts'
import { describeState } from '../state-hash.ts'

const DAY_MS = 86_400_000
const AMOUNT = money(1_000_000_000n)
const TERMS = { multiplier: ratio(1_000_000), exposureLimit: 30, stopLoss: 60 }

describe.each(everyDatabase)('copying after a restart, $kind', (databases) => {
  it('is as it was: copies, their terms and orders, a frozen provider, a month’s end, a carried loss', async () => {
    const simulation = await openSimulation(await databases.open())
    const { clock, execute, state } = simulation
    let seq = 0
    const tick = (bid: number) =>
      execute({ type: 'tick', at: clock.at, quote: quoteOf(1, bid, clock.at, (seq += 1)) })
    const start = (accountId: number, strategyId: number) =>
      execute({
        type: 'startCopy',
        at: clock.at,
        accountId,
        strategyId,
        amount: AMOUNT,
        terms: TERMS,
        isWithOpenOrders: false,
      })
    const check = async () => {
      const before = describeState(simulation.core())
      await simulation.caughtUp()
      await simulation.restart()
      expect(describeState(simulation.core())).toBe(before)
    }
    for (let count = 0; count < 3; count += 1)
      await execute({ type: 'openAccount', at: clock.at, ledger: 'demo' })
    await tick(108_469)
    await execute({ type: 'publishStrategy', at: clock.at, accountId: 1, feeShare: ratio(100_000) })
    await start(2, 1)
    await execute({ type: 'setStrategyFee', at: clock.at, accountId: 1, feeShare: ratio(300_000) })
    await start(3, 1)
    const shares = [1, 4, 5]
      .map((id) => state().accounts.get(id))
      .map((each) => (each?.copy ?? each?.strategy)?.feeShare)
    expect(shares).toEqual([300_000, 100_000, 300_000])
    await check()
    await execute({ ...marketOrder(1, { instrumentId: 1, lots: lots(10_000) }), at: clock.at })
    await tick(108_000)
    const changed = { multiplier: ratio(2_000_000), exposureLimit: 7, excluded: [2, 1] }
    await execute({ type: 'setCopyTerms', at: clock.at, accountId: 2, copyId: 4, ...changed })
    await execute({ type: 'stopCopy', at: clock.at, accountId: 3, copyId: 5 })
    expect(state().carriedLosses.size).toBe(1)
    await check()
    clock.at += DAY_MS
    await start(3, 1)
    expect(state().accounts.get(6)?.copy?.takenOver).toHaveLength(1)
    await check()
    await execute({ type: 'stopCopy', at: clock.at, accountId: 3, copyId: 6 })
    expect(state().carriedLosses.size).toBe(1)
    await check()
    const by = operatorOf(1, 2)
    await execute({ type: 'setAccountStatus', at: clock.at, accountId: 1, status: 'frozen', by })
    expect(state().frozenProviders.size).toBe(1)
    await check()
    clock.at += 27 * DAY_MS
    await tick(108_000)
    expect(state().monthEnds.size).toBe(1)
    await check()
    await execute({ type: 'clock', at: clock.at })
    expect(state().monthEnds.size).toBe(0)
    await check()
  })
})
