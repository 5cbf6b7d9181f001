import { setImmediate as nextTurn } from 'node:timers/promises'
import { lots, price, violations } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import { entryOf, quoteAt } from '../../../../testing/test-world.ts'
import { buyOneLot, publishStrategy, usd } from '../testing/copying-setup.ts'
import { createHarness } from '../testing/engine-harness.ts'
import { withFaults } from '../testing/faulty-database.ts'
import { everyDatabase } from '../testing/on-every-database.ts'
import { verify } from '../verify/verify.ts'
import { isUnavailable } from './engine.ts'
import { readHead } from './journal/journal.ts'
import { restore } from './restore/restore.ts'
import { describeState } from './state-hash.ts'

const DAY_MS = 86_400_000

describe.each(everyDatabase)('a provider with copies, $kind', (databases) => {
  it('and its copies are one row of the journal, decided over several turns', async () => {
    const database = await databases.open()
    const harness = await createHarness(database)
    const { engine } = harness
    const { accountId } = await publishStrategy(harness, 600)
    const other = await harness.openAccount()
    const before = await readHead(database.queries)
    const providers = engine.execute(buyOneLot(accountId))
    let turns = 0
    let meanwhile: ReturnType<typeof engine.execute> | null = null
    do {
      await nextTurn()
      if (!engine.core().unfinished?.isRowOpen) continue
      turns += 1
      meanwhile ??= engine.execute(buyOneLot(other))
    } while (turns === 0 || engine.core().unfinished)
    expect(turns).toBeGreaterThan(1)
    expect(entryOf(await providers).events).toHaveLength(1)
    const otherEntry = meanwhile && (await meanwhile)
    expect(otherEntry && entryOf(otherEntry).events).toMatchObject([
      { type: 'positionOpened', accountId: other },
    ])
    expect((await readHead(database.queries)).seq).toBe(before.seq + 1)
    // Decided between two turns, so its number lies among those of the copies.
    const numbers = [...(engine.state().accounts.get(other)?.orders.keys() ?? [])]
    expect(numbers[0]).toBeLessThan(602)
    expect(engine.state().orders.size).toBe(602)
    expect(violations(engine.core())).toEqual([])
    await engine.caughtUp()
    expect((await verify(database)).difference).toBeNull()
    expect(describeState((await restore(database, {})).core)).toBe(describeState(engine.core()))
  })

  it('is restored and verified with them, after closes, money in and out, and the end', async () => {
    const database = await databases.open()
    const harness = await createHarness(database)
    const { engine } = harness
    const { accountId, copies } = await publishStrategy(harness, 3)
    const [first, , last] = copies
    if (!first || !last) throw new Error('no copies')
    const { ownerId, copyId } = first
    entryOf(await engine.execute(buyOneLot(accountId)))
    await harness.tick(108_569)
    const amount = usd(500)
    entryOf(await engine.execute({ type: 'addToCopy', accountId: ownerId, copyId, amount }))
    entryOf(await engine.execute({ type: 'takeFromCopy', accountId: ownerId, copyId, amount }))
    entryOf(await engine.execute({ type: 'pauseCopy', accountId: last.ownerId, copyId: last.copyId }))
    entryOf(await engine.execute({ type: 'closePosition', accountId, orderId: 1, lots: lots(3_000) }))
    entryOf(await engine.execute(buyOneLot(accountId)))
    entryOf(await engine.execute({ type: 'stopCopy', accountId: ownerId, copyId }))
    const check = async () => {
      await engine.caughtUp()
      expect((await verify(database)).difference).toBeNull()
      expect(describeState((await restore(database, {})).core)).toBe(describeState(engine.core()))
    }
    await check()
    entryOf(await engine.execute({ type: 'endStrategy', accountId }))
    await expect.poll(() => engine.read(({ copies }) => copies.size)).toBe(0)
    await check()
    const skipped = await database.queries.selectFrom('copy_skip').select('reason').execute()
    expect(skipped).toEqual([{ reason: 'copyPaused' }])
  })

  it('pays the fee of a month for each copy, which a restart and verify confirm', async () => {
    const database = await databases.open()
    const harness = await createHarness(database)
    const { engine, clock } = harness
    const { accountId, copies } = await publishStrategy(harness, 2)
    entryOf(await engine.execute(buyOneLot(accountId)))
    await harness.tick(110_469)
    entryOf(await engine.execute({ type: 'closePosition', accountId, orderId: 1 }))
    entryOf(await engine.execute(buyOneLot(accountId)))
    const marks = () => copies.map(({ copyId }) => engine.state().accounts.get(copyId)?.copy?.mark ?? 0n)
    const before = marks()
    clock.at += 32 * DAY_MS
    await harness.tick(110_469)
    await expect.poll(() => engine.read(({ monthEnds }) => monthEnds.size)).toBe(0)
    expect(marks().every((mark, index) => mark > (before[index] ?? 0n))).toBe(true)
    await engine.caughtUp()
    expect((await verify(database)).difference).toBeNull()
    expect(describeState((await restore(database, {})).core)).toBe(describeState(engine.core()))
  })

  it('is decided again from its beginning, with all copies, after a failed commit', async () => {
    const { database, faults } = withFaults(await databases.open())
    const harness = await createHarness(database, { onError: () => faults.clear() })
    const { engine, clock } = harness
    const { accountId } = await publishStrategy(harness, 300)
    entryOf(await engine.execute({ ...buyOneLot(accountId), targetPrice: price(108_400) }))
    faults.add('beforeCommit')
    engine.tick(quoteAt(108_300, clock.at, 10))
    await expect.poll(() => faults.size === 0 && engine.isReady(), { timeout: 10_000 }).toBe(true)
    await engine.execute({ type: 'cancelOrder', accountId: 0, orderId: 0 })
    const orders = [...engine.state().orders.values()]
    expect(orders.filter(({ status }) => status === 'holding')).toHaveLength(301)
    await engine.caughtUp()
    expect((await verify(database)).difference).toBeNull()
  })

  it('is in the journal with all of them or not at all, when the process ends between two turns', async () => {
    const database = await databases.open()
    const harness = await createHarness(database)
    const { engine } = harness
    const { accountId } = await publishStrategy(harness, 600)
    const answer = engine.execute(buyOneLot(accountId))
    while (!engine.core().unfinished?.isRowOpen) await nextTurn()
    await engine.stop()
    expect(isUnavailable(await answer)).toBe(true)
    const { core } = await restore(database, {})
    expect(core.state.orders.size).toBe(0)
    expect(core.state.copies.size).toBe(600)
  })
})
