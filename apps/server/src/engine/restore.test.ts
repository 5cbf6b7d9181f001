import { violations } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import { withFaults } from '../testing/faulty-database.ts'
import { everyDatabase } from '../testing/on-every-database.ts'
import { openTraders } from '../testing/random-traders.ts'
import { describeState } from './state-hash.ts'
import { restore } from './restore.ts'
import { marketOrder, orderIdOf, testWorld } from '../testing/test-world.ts'
import { openFloor } from '../testing/trading-floor.ts'

const STEPS = 120

describe.each(everyDatabase)('restore, $kind', (databases) => {
  it.each([1, 2])('gives the living state at any moment, far behind or caught up (seed %i)', async (seed) => {
    const { database, faults } = withFaults(await databases.open())
    const floor = await openFloor(database)
    const traders = await openTraders(floor, seed)
    const lags = new Set<boolean>()
    for (let step = 1; step <= STEPS; step += 1) {
      // The tables stand still for a while, and follow for a while.
      if (step % 20 === 0) faults.add('tables')
      if (step % 20 === 10) faults.clear()
      await traders.step()
      if (step % 9 !== 0) continue
      if (step % 27 === 0 && faults.size === 0) await floor.engine.caughtUp()
      const restored = await restore(database, testWorld())
      lags.add(restored.unprojected.length > 0)
      expect(describeState(restored.state)).toBe(describeState(floor.engine.state()))
      expect(violations(restored.state)).toEqual([])
    }
    expect(lags).toEqual(new Set([true, false]))
    faults.clear()
    await floor.engine.caughtUp()
    const caughtUp = await restore(database, testWorld())
    expect(caughtUp.unprojected).toEqual([])
    expect(describeState(caughtUp.state)).toBe(describeState(floor.engine.state()))
  })

  it('knows from the tables which night a position has had, so that none is booked twice', async () => {
    const database = await databases.open()
    const floor = await openFloor(database)
    const accountId = await floor.openAccount()
    await floor.tick(108_469)
    const orderId = orderIdOf(await floor.engine.execute(marketOrder(accountId)))
    floor.clock.at += 86_400_000
    await floor.tick(108_469)
    await floor.engine.caughtUp()
    const { state, unprojected } = await restore(database, testWorld())
    expect(unprojected).toEqual([])
    expect(state.orders.get(orderId)?.financedAt).toBe(Date.UTC(2026, 0, 5, 22))
    expect(describeState(state)).toBe(describeState(floor.engine.state()))
  })

  it('starts empty on an empty database', async () => {
    const { state, head, unprojected } = await restore(await databases.open(), testWorld())
    expect([state.accounts.size, state.orders.size, head.seq, unprojected.length]).toEqual([0, 0, 0, 0])
  })
})
