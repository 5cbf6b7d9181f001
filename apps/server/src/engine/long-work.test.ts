import { setImmediate as nextTurn } from 'node:timers/promises'
import { hasDueWork, SLICE_BUDGET, price, violations, type Quote } from '@fairlot/core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { withFaults } from '../testing/faulty-database.ts'
import { everyDatabase } from '../testing/on-every-database.ts'
import { entryOf, marketOrder, orderIdOf, quoteAt } from '../../../../testing/test-world.ts'
import { changeInstrument } from '../testing/terms.ts'
import { openFloor, type Floor } from '../testing/trading-floor.ts'
import { restore } from './restore/restore.ts'
import { describeState } from './state-hash.ts'
import { SLICES_AHEAD } from './writer.ts'

/** Far more than one batch takes. */
const WAITING = 1_300
/** Events of one slice of due work. */
const SLICE = SLICE_BUDGET.events

async function floorWithPendingOrders(floor: Floor): Promise<number> {
  const accountId = await floor.openAccount()
  await floor.tick(108_469)
  const order = marketOrder(accountId, { leverage: 100, targetPrice: price(108_400) })
  await Promise.all(Array.from({ length: WAITING }, () => floor.engine.execute(order)))
  return accountId
}

describe.each(everyDatabase)('work that is too much for one batch, $kind', (databases) => {
  it('goes on over several commits, before any other command, and is told once', async () => {
    const database = await databases.open()
    const floor = await openFloor(database)
    const accountId = await floorWithPendingOrders(floor)
    const quotes: Quote[] = []
    const opened: number[] = []
    floor.engine.onQuote((quote) => void quotes.push(quote))
    floor.engine.onCommitted(({ entry }) => {
      const count = entry.events.filter((event) => event.type === 'positionOpened').length
      if (count > 0) opened.push(count)
    })
    floor.engine.tick(quoteAt(108_300, floor.clock.at, 10))
    // It came after the price, so every order that the price fills is filled before.
    const { events } = entryOf(await floor.engine.execute({ type: 'closeAll', accountId }))
    expect(events).toHaveLength(WAITING)
    expect(opened.reduce((sum, count) => sum + count, 0)).toBe(WAITING)
    expect(opened.length).toBeGreaterThan(2)
    expect(quotes).toHaveLength(1)
    expect(violations(floor.engine.core())).toEqual([])
    await floor.engine.caughtUp()
    const { core } = await restore(database, {})
    expect(describeState(core)).toBe(describeState(floor.engine.core()))
  })

  it('goes on without a pause where it finds nothing to do', async () => {
    const floor = await openFloor(await databases.open())
    await Promise.all(Array.from({ length: 5_000 }, () => floor.openAccount()))
    await changeInstrument(floor.engine, 1, { isEnabled: false })
    // The accounts are more than two slices; the clock by itself gives one a second.
    for (let turn = 1; turn <= 50; turn += 1) await nextTurn()
    expect(hasDueWork(floor.engine.core(), floor.clock.at)).toBe(false)
  })

  it('is decided from the beginning after a recovery', async () => {
    const { database, faults } = withFaults(await databases.open())
    const floor = await openFloor(database, { onError: () => faults.clear() })
    await floorWithPendingOrders(floor)
    faults.add('beforeCommit')
    floor.engine.tick(quoteAt(108_300, floor.clock.at, 10))
    await expect.poll(() => faults.size === 0 && floor.engine.isReady(), { timeout: 10_000 }).toBe(true)
    await floor.engine.execute({ type: 'cancelOrder', accountId: 0, orderId: 0 })
    const { orders } = floor.engine.state()
    expect(orders.size).toBe(WAITING)
    expect([...orders.values()].filter(({ status }) => status === 'pending')).toEqual([])
    expect(violations(floor.engine.core())).toEqual([])
  })

  it('is offered to the clock again after each commit, behind whoever waits', async () => {
    // The clock itself stands still: what it does here it does because there is something due.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const floor = await openFloor(await databases.open())
    const [asking, sleeping] = [await floor.openAccount(), await floor.openAccount()]
    await floor.tick(108_469)
    await floor.engine.execute(marketOrder(sleeping))
    const told: string[] = []
    const over = new Promise<void>((resolve) => {
      floor.engine.onCommitted(({ entry }) => {
        told.push(...entry.events.map(({ type }) => type))
        if (told.includes('rolledOver')) resolve()
      })
    })
    floor.clock.at += 86_400_000
    floor.engine.tick(quoteAt(108_469, floor.clock.at, 2))
    await floor.engine.execute(marketOrder(asking))
    await over
    expect(told).toEqual(['pricesMarked', 'pricesMarked', 'positionOpened', 'swapBooked', 'rolledOver'])
  })

  it('keeps due work a few slices ahead of the tables at most, and orders go on', async () => {
    // The clock itself stands still: what it does here it does because there is something due.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { database, faults } = withFaults(await databases.open())
    const floor = await openFloor(database)
    const accountId = await floor.openAccount()
    await floor.tick(108_469)
    for (let owner = 1; owner <= SLICES_AHEAD + 2; owner += 1) {
      const sleeping = await floor.openAccount()
      const orders = Array.from({ length: SLICE }, () => floor.engine.execute(marketOrder(sleeping)))
      await Promise.all(orders)
    }
    await floor.engine.caughtUp()
    let booked = 0
    floor.engine.onCommitted(({ entry }) => {
      booked += entry.events.filter(({ type }) => type === 'swapBooked').length
    })
    faults.add('tables')
    floor.clock.at += 86_400_000
    floor.engine.tick(quoteAt(108_469, floor.clock.at, 2))
    for (let count = 1; count <= 2 * SLICES_AHEAD; count += 1)
      expect(orderIdOf(await floor.engine.execute(marketOrder(accountId)))).toBeGreaterThan(0)
    expect(booked).toBe(SLICES_AHEAD * SLICE)
    faults.clear()
    await expect.poll(() => booked, { timeout: 10_000 }).toBe((SLICES_AHEAD + 2) * SLICE)
  })
})
