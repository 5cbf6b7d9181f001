import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Request } from '@fairlot/core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { withFaults } from '../testing/faulty-database.ts'
import { everyDatabase, type Databases } from '../testing/on-every-database.ts'
import { entryOf, marketOrder, orderIdOf, quoteAt } from '../../../../testing/test-world.ts'
import { openFloor } from '../testing/trading-floor.ts'
import { isNotDone, isUnavailable } from './engine.ts'

/** Longer than a command may wait. */
const TOO_LONG_MS = 4_500
const DAY_MS = 86_400_000

/** A floor whose next commit stalls, with an order decided and waiting for it, and the monotonic clock in our hands. */
async function openStalledFloor(databases: Databases) {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { database, faults } = withFaults(await databases.open())
  const floor = await openFloor(database)
  const account = await floor.openAccount()
  await floor.tick(108_469)
  const request: Request = { accountId: account, call: 'submit', id: 'one', digest: '' }
  const order = (given: { request?: Request } = {}) => floor.engine.execute(marketOrder(account, given))
  faults.add('stalled')
  const underWay = order({ request })
  while (floor.engine.state().orders.size === 0) await nextTurn()
  return { ...floor, faults, request, order, underWay }
}

describe.each(everyDatabase)('a command that waits too long, $kind', (databases) => {
  it('is not done, and never will be', async () => {
    const floor = await openStalledFloor(databases)
    const waiting = floor.order()
    vi.advanceTimersByTime(TOO_LONG_MS)
    expect(isNotDone(await waiting)).toBe(true)
    floor.faults.clear()
    expect(orderIdOf(await floor.underWay)).toBe(1)
    expect(orderIdOf(await floor.order())).toBe(2)
  })

  it('has its answer from its twin: nobody may say that it is not done while that one may be', async () => {
    const floor = await openStalledFloor(databases)
    const twin = floor.order({ request: floor.request })
    vi.advanceTimersByTime(TOO_LONG_MS)
    expect(isUnavailable(await twin)).toBe(true)
    floor.faults.clear()
    const first = await floor.underWay
    const again = await floor.order({ request: floor.request })
    expect(entryOf(again)).toEqual(entryOf(first))
  })
})

it('an order that meets 17:00 is decided at once, at its own time, however many wait for their night', async () => {
  const [databases] = everyDatabase
  if (!databases) throw new Error('no database')
  const floor = await openFloor(await databases.open())
  const accounts = [await floor.openAccount(), await floor.openAccount()]
  const [account = 0, other = 0] = accounts
  await floor.tick(108_469)
  for (const owner of accounts) await floor.engine.execute(marketOrder(owner))
  const told: string[] = []
  floor.engine.onCommitted(({ entry }) =>
    told.push(...entry.events.map((event) => `${event.type} ${'accountId' in event ? event.accountId : ''}`)),
  )
  floor.clock.at += DAY_MS
  floor.engine.tick(quoteAt(108_469, floor.clock.at, 9))
  floor.clock.at += 7
  const { at, events } = entryOf(await floor.engine.execute(marketOrder(account)))
  expect(at).toBe(floor.clock.at)
  expect(events[0]).toMatchObject({ type: 'positionOpened', receipt: { delayMs: 7 } })
  await expect.poll(() => told.includes('rolledOver ')).toBe(true)
  const [own, opened, others] = [`swapBooked ${account}`, `positionOpened ${account}`, `swapBooked ${other}`]
  expect(told.filter((one) => [own, opened, others].includes(one))).toEqual([own, opened, others])
})
