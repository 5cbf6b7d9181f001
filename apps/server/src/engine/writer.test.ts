import { setImmediate as nextTurn } from 'node:timers/promises'
import { hasDueWork, price, SLICE_BUDGET, violations, type Quote, type Request } from '@fairlot/core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { entryOf, marketOrder, orderIdOf, quoteAt } from '../../../../testing/test-world.ts'
import { changeInstrument } from '../testing/engine-setup.ts'
import { withFaults } from '../testing/faulty-database.ts'
import { everyDatabase, type Databases } from '../testing/on-every-database.ts'
import { createHarness, type Harness } from '../testing/engine-harness.ts'
import { isNotDone, isUnavailable } from './engine.ts'
import { restore } from './restore/restore.ts'
import { describeState } from './state-hash.ts'
import { SLICES_AHEAD } from './writer.ts'

/** Longer than the deadline of a command. */
const TOO_LONG_MS = 4_500
const DAY_MS = 86_400_000

/** An engine whose next commit stalls while an order waits for it, with a fake monotonic clock. */
async function openStalledHarness(databases: Databases) {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { database, faults } = withFaults(await databases.open())
  const harness = await createHarness(database)
  const account = await harness.openAccount()
  await harness.tick(108_469)
  const request: Request = { accountId: account, call: 'submit', id: 'one', digest: '' }
  const order = (given: { request?: Request } = {}) => harness.engine.execute(marketOrder(account, given))
  faults.add('stalled')
  const inProgress = order({ request })
  while (harness.engine.state().orders.size === 0) await nextTurn()
  return { ...harness, faults, request, order, inProgress }
}

describe.each(everyDatabase)('a command past its deadline, $kind', (databases) => {
  it('is answered as not done, and is never decided later', async () => {
    const harness = await openStalledHarness(databases)
    const waiting = harness.order()
    vi.advanceTimersByTime(TOO_LONG_MS)
    expect(isNotDone(await waiting)).toBe(true)
    harness.faults.clear()
    expect(orderIdOf(await harness.inProgress)).toBe(1)
    expect(orderIdOf(await harness.order())).toBe(2)
  })

  it('is answered as unavailable while a duplicate of it may still be committed', async () => {
    const harness = await openStalledHarness(databases)
    const duplicate = harness.order({ request: harness.request })
    vi.advanceTimersByTime(TOO_LONG_MS)
    expect(isUnavailable(await duplicate)).toBe(true)
    harness.faults.clear()
    const first = await harness.inProgress
    const again = await harness.order({ request: harness.request })
    expect(entryOf(again)).toEqual(entryOf(first))
  })
})

it('an order placed at 17:00 is decided at once, at its own time, before the rollovers of other accounts', async () => {
  const [databases] = everyDatabase
  if (!databases) throw new Error('no database')
  const harness = await createHarness(await databases.open())
  const accounts = [await harness.openAccount(), await harness.openAccount()]
  const [account = 0, other = 0] = accounts
  await harness.tick(108_469)
  for (const owner of accounts) await harness.engine.execute(marketOrder(owner))
  const committed: string[] = []
  harness.engine.onCommitted(({ entry }) =>
    committed.push(
      ...entry.events.map((event) => `${event.type} ${'accountId' in event ? event.accountId : ''}`),
    ),
  )
  harness.clock.at += DAY_MS
  harness.engine.tick(quoteAt(108_469, harness.clock.at, 9))
  harness.clock.at += 7
  const { at, events } = entryOf(await harness.engine.execute(marketOrder(account)))
  expect(at).toBe(harness.clock.at)
  expect(events[0]).toMatchObject({ type: 'positionOpened', receipt: { delayMs: 7 } })
  await expect.poll(() => committed.includes('rolledOver ')).toBe(true)
  const [own, opened, others] = [`swapBooked ${account}`, `positionOpened ${account}`, `swapBooked ${other}`]
  expect(committed.filter((one) => [own, opened, others].includes(one))).toEqual([own, opened, others])
})

/** More than one batch takes. */
const WAITING = 1_300
/** Events of one slice of due work. */
const SLICE = SLICE_BUDGET.events

async function harnessWithPendingOrders(harness: Harness): Promise<number> {
  const accountId = await harness.openAccount()
  await harness.tick(108_469)
  const order = marketOrder(accountId, { leverage: 100, targetPrice: price(108_400) })
  await Promise.all(Array.from({ length: WAITING }, () => harness.engine.execute(order)))
  return accountId
}

describe.each(everyDatabase)('work that exceeds one batch, $kind', (databases) => {
  it('continues over several commits, before any other command, and is published once', async () => {
    const database = await databases.open()
    const harness = await createHarness(database)
    const accountId = await harnessWithPendingOrders(harness)
    const quotes: Quote[] = []
    const opened: number[] = []
    harness.engine.onQuote((quote) => void quotes.push(quote))
    harness.engine.onCommitted(({ entry }) => {
      const count = entry.events.filter((event) => event.type === 'positionOpened').length
      if (count > 0) opened.push(count)
    })
    harness.engine.tick(quoteAt(108_300, harness.clock.at, 10))
    // Sent after the tick, so it sees every order that the tick fills.
    const { events } = entryOf(await harness.engine.execute({ type: 'closeAll', accountId }))
    expect(events).toHaveLength(WAITING)
    expect(opened.reduce((sum, count) => sum + count, 0)).toBe(WAITING)
    expect(opened.length).toBeGreaterThan(2)
    expect(quotes).toHaveLength(1)
    expect(violations(harness.engine.core())).toEqual([])
    await harness.engine.caughtUp()
    const { core } = await restore(database, {})
    expect(describeState(core)).toBe(describeState(harness.engine.core()))
  })

  it('continues without a pause while slices find nothing to do', async () => {
    const harness = await createHarness(await databases.open())
    await Promise.all(Array.from({ length: 5_000 }, () => harness.openAccount()))
    await changeInstrument(harness.engine, 1, { isEnabled: false })
    // The accounts take more than two slices; the clock alone would run one slice a second.
    for (let turn = 1; turn <= 50; turn += 1) await nextTurn()
    expect(hasDueWork(harness.engine.core(), harness.clock.at)).toBe(false)
  })

  it('is decided from the beginning after a recovery', async () => {
    const { database, faults } = withFaults(await databases.open())
    const harness = await createHarness(database, { onError: () => faults.clear() })
    await harnessWithPendingOrders(harness)
    faults.add('beforeCommit')
    harness.engine.tick(quoteAt(108_300, harness.clock.at, 10))
    await expect.poll(() => faults.size === 0 && harness.engine.isReady(), { timeout: 10_000 }).toBe(true)
    await harness.engine.execute({ type: 'cancelOrder', accountId: 0, orderId: 0 })
    const { orders } = harness.engine.state()
    expect(orders.size).toBe(WAITING)
    expect([...orders.values()].filter(({ status }) => status === 'pending')).toEqual([])
    expect(violations(harness.engine.core())).toEqual([])
  })

  it('queues the next slice after each commit, behind waiting commands', async () => {
    // The timer is stopped: slices run only because work is due.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const harness = await createHarness(await databases.open())
    const [trading, idle] = [await harness.openAccount(), await harness.openAccount()]
    await harness.tick(108_469)
    await harness.engine.execute(marketOrder(idle))
    const committed: string[] = []
    const over = new Promise<void>((resolve) => {
      harness.engine.onCommitted(({ entry }) => {
        committed.push(...entry.events.map(({ type }) => type))
        if (committed.includes('rolledOver')) resolve()
      })
    })
    harness.clock.at += DAY_MS
    harness.engine.tick(quoteAt(108_469, harness.clock.at, 2))
    await harness.engine.execute(marketOrder(trading))
    await over
    expect(committed).toEqual(['pricesMarked', 'pricesMarked', 'positionOpened', 'swapBooked', 'rolledOver'])
  })

  it('keeps due work at most a few slices ahead of the tables, while orders continue', async () => {
    // The timer is stopped: slices run only because work is due.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { database, faults } = withFaults(await databases.open())
    const harness = await createHarness(database)
    const accountId = await harness.openAccount()
    await harness.tick(108_469)
    for (let owner = 1; owner <= SLICES_AHEAD + 2; owner += 1) {
      const idle = await harness.openAccount()
      const orders = Array.from({ length: SLICE }, () => harness.engine.execute(marketOrder(idle)))
      await Promise.all(orders)
    }
    await harness.engine.caughtUp()
    let booked = 0
    harness.engine.onCommitted(({ entry }) => {
      booked += entry.events.filter(({ type }) => type === 'swapBooked').length
    })
    faults.add('tables')
    harness.clock.at += DAY_MS
    harness.engine.tick(quoteAt(108_469, harness.clock.at, 2))
    for (let count = 1; count <= 2 * SLICES_AHEAD; count += 1)
      expect(orderIdOf(await harness.engine.execute(marketOrder(accountId)))).toBeGreaterThan(0)
    expect(booked).toBe(SLICES_AHEAD * SLICE)
    faults.clear()
    await expect.poll(() => booked, { timeout: 10_000 }).toBe((SLICES_AHEAD + 2) * SLICE)
  })
})
