import { isRejection, price, type Request } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import type { Queries } from '../database/open.ts'
import { everyDatabase } from '../testing/on-every-database.ts'
import { isUnavailable } from './engine.ts'
import { readJournal } from './journal/journal.ts'
import { entryOf, marketOrder, orderIdOf, START_OF_TEST } from '../../../../testing/test-world.ts'
import { openFloor } from '../testing/trading-floor.ts'

async function journaledOrderIds(queries: Queries): Promise<number[]> {
  const ids: number[] = []
  for await (const { entries } of readJournal(queries, 0)) {
    for (const event of entries.flatMap((entry) => entry.events)) {
      if (event.type === 'positionOpened') ids.push(event.orderId)
    }
  }
  return ids
}

const requestOf = (accountId: number, given: Partial<Request> = {}): Request => ({
  accountId,
  call: 'submit',
  id: 'first',
  digest: 'body',
  ...given,
})

describe.each(everyDatabase)('engine, $kind', (databases) => {
  it('answers an order once the journal holds it', async () => {
    const place = await databases.place()
    const floor = await openFloor(await databases.open(place))
    const witness = await databases.open(place)
    const account = await floor.openAccount()
    await floor.tick(108_469)
    const answered = await floor.engine.execute(marketOrder(account))
    expect(await journaledOrderIds(witness.queries)).toEqual([orderIdOf(answered)])
  })

  it('commits what arrives together in one row, and answers each by its own', async () => {
    const database = await databases.open()
    const floor = await openFloor(database)
    const account = await floor.openAccount()
    await floor.tick(108_469)
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => floor.engine.execute(marketOrder(account))),
    )
    const ids = answers.map(orderIdOf)
    expect(new Set(ids).size).toBe(100)
    expect(await journaledOrderIds(database.queries)).toEqual(ids)
    const rows = await database.queries.selectFrom('journal').select('seq').execute()
    // One for the terms, one for the account, one for all orders.
    expect(rows).toHaveLength(3)
  })

  it('tells of every commit once, in the order of the journal', async () => {
    const floor = await openFloor(await databases.open())
    const told: unknown[] = []
    floor.engine.onCommitted(({ entry }) => told.push(entry))
    const account = await floor.openAccount()
    await floor.tick(108_469)
    const answers = await Promise.all([1, 2, 3].map(() => floor.engine.execute(marketOrder(account))))
    expect(told.slice(1)).toEqual(answers.map(entryOf))
  })

  it('is not disturbed by a listener that throws', async () => {
    const floor = await openFloor(await databases.open())
    const told: string[] = []
    floor.engine.onCommitted(() => {
      throw new Error('oops')
    })
    floor.engine.onCommitted(({ entry }) => told.push(entry.events[0]?.type ?? ''))
    expect(await floor.openAccount()).toBe(1)
    expect(told).toEqual(['accountOpened'])
    expect(floor.errors).toEqual(['telling of a commit: Error: oops'])
  })

  it('writes nothing for a refusal or a price that fires nothing', async () => {
    const database = await databases.open()
    const floor = await openFloor(database)
    await floor.tick(108_469)
    const answer = await floor.engine.execute(marketOrder(77))
    expect(isRejection(answer) && answer.rejected).toBe('accountNotFound')
    // Only the terms.
    expect(await database.queries.selectFrom('journal').select('seq').execute()).toHaveLength(1)
  })

  it('fills what a price reaches', async () => {
    const floor = await openFloor(await databases.open())
    const account = await floor.openAccount()
    await floor.tick(108_469)
    const stopped = await floor.engine.execute(marketOrder(account, { stopLoss: price(108_400) }))
    const closed = new Promise((resolve) => {
      floor.engine.onCommitted(({ entry }) => resolve(entry.events[0]))
    })
    await floor.tick(108_399)
    expect(await closed).toMatchObject({
      type: 'positionClosed',
      orderId: orderIdOf(stopped),
      reason: 'stopLoss',
    })
  })

  it('lets its time never fall', async () => {
    const database = await databases.open()
    const floor = await openFloor(database)
    await floor.openAccount()
    floor.clock.at -= 10_000
    await floor.openAccount()
    const rows = await database.queries.selectFrom('journal').select('at').orderBy('seq').execute()
    expect(rows.map((row) => Number(row.at))).toEqual([START_OF_TEST, START_OF_TEST, START_OF_TEST])
  })

  it('gives a request that comes twice one effect, one answer and one entry', async () => {
    const database = await databases.open()
    const floor = await openFloor(database)
    const account = await floor.openAccount()
    await floor.tick(108_469)
    const order = marketOrder(account, { request: requestOf(account) })
    const twins = await Promise.all([floor.engine.execute(order), floor.engine.execute(order)])
    const later = await floor.engine.execute(order)
    const ids = [...twins, later].map(orderIdOf)
    expect(new Set(ids).size).toBe(1)
    expect(floor.engine.state().orders.size).toBe(1)
    expect([...twins, later].map((answer) => 'repeatOf' in answer && answer.repeatOf !== null)).toEqual([
      false,
      true,
      true,
    ])
    let written = 0
    for await (const { entries } of readJournal(database.queries, 0))
      written += entries.filter(({ request }) => request?.id === 'first').length
    expect(written).toBe(1)
  })

  it('refuses a request id with another body', async () => {
    const floor = await openFloor(await databases.open())
    const account = await floor.openAccount()
    await floor.tick(108_469)
    await floor.engine.execute(marketOrder(account, { request: requestOf(account) }))
    const other = await floor.engine.execute(
      marketOrder(account, { side: 'sell', request: requestOf(account, { digest: 'other' }) }),
    )
    expect(isRejection(other) && other.rejected).toBe('requestIdReused')
  })

  it('knows its requests again after a restart, and goes on with its numbers', async () => {
    const place = await databases.place()
    const before = await openFloor(await databases.open(place))
    const account = await before.openAccount()
    await before.tick(108_469)
    const order = marketOrder(account, { request: requestOf(account) })
    const first = await before.engine.execute(order)
    await before.engine.stop()

    const after = await openFloor(await databases.open(place), { startAt: START_OF_TEST + 1_000 })
    await after.tick(108_470)
    expect(entryOf(await after.engine.execute(order))).toEqual(entryOf(first))
    const next = await after.engine.execute(marketOrder(account))
    expect(orderIdOf(next)).toBe(orderIdOf(first) + 1)
    expect(await after.openAccount()).toBe(account + 1)
  })

  it('watches every order again after a restart', async () => {
    const place = await databases.place()
    const before = await openFloor(await databases.open(place))
    const account = await before.openAccount()
    await before.tick(108_469)
    await before.engine.execute(marketOrder(account, { takeProfit: price(108_600) }))
    await before.engine.execute(marketOrder(account, { side: 'sell', targetPrice: price(108_700) }))
    await before.engine.stop()

    const after = await openFloor(await databases.open(place), { startAt: START_OF_TEST + 1_000 })
    const events: string[] = []
    const both = new Promise<void>((resolve) => {
      after.engine.onCommitted(({ entry }) => {
        events.push(...entry.events.map((event) => event.type))
        if (events.length === 2) resolve()
      })
    })
    await after.tick(108_700)
    await both
    expect(events).toEqual(['positionClosed', 'positionOpened'])
  })

  it('refuses everything once it has stopped, and answers everybody', async () => {
    const floor = await openFloor(await databases.open())
    const underWay = floor.engine.execute({ type: 'openAccount', ledger: 'demo' })
    const stopped = floor.engine.stop()
    expect(floor.engine.isReady()).toBe(false)
    expect(isUnavailable(await floor.engine.execute({ type: 'openAccount', ledger: 'demo' }))).toBe(true)
    await stopped
    expect(await underWay).toBeDefined()
  })
})
