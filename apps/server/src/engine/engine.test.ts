import { isRejection, price, type Request } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import type { Queries } from '../platform/database/open.ts'
import { everyDatabase } from '../testing/on-every-database.ts'
import { isUnavailable } from './engine.ts'
import { readJournal } from './journal/journal.ts'
import { entryOf, marketOrder, orderIdOf, START_OF_TEST } from '../../../../testing/test-world.ts'
import { createHarness } from '../testing/engine-harness.ts'

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
  it('answers an order only after it is in the journal', async () => {
    const place = await databases.place()
    const harness = await createHarness(await databases.open(place))
    const witness = await databases.open(place)
    const account = await harness.openAccount()
    await harness.tick(108_469)
    const answered = await harness.engine.execute(marketOrder(account))
    expect(await journaledOrderIds(witness.queries)).toEqual([orderIdOf(answered)])
  })

  it('commits commands that arrive together in one row, and answers each separately', async () => {
    const database = await databases.open()
    const harness = await createHarness(database)
    const account = await harness.openAccount()
    await harness.tick(108_469)
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => harness.engine.execute(marketOrder(account))),
    )
    const ids = answers.map(orderIdOf)
    expect(new Set(ids).size).toBe(100)
    expect(await journaledOrderIds(database.queries)).toEqual(ids)
    const rows = await database.queries.selectFrom('journal').select('seq').execute()
    // One row for the terms, one for the account, one for all orders.
    expect(rows).toHaveLength(3)
  })

  it('publishes every commit once, in the order of the journal', async () => {
    const harness = await createHarness(await databases.open())
    const published: unknown[] = []
    harness.engine.onCommitted(({ entry }) => published.push(entry))
    const account = await harness.openAccount()
    await harness.tick(108_469)
    const answers = await Promise.all([1, 2, 3].map(() => harness.engine.execute(marketOrder(account))))
    expect(published.slice(1)).toEqual(answers.map(entryOf))
  })

  it('keeps working when a listener throws', async () => {
    const harness = await createHarness(await databases.open())
    const published: string[] = []
    harness.engine.onCommitted(() => {
      throw new Error('oops')
    })
    harness.engine.onCommitted(({ entry }) => published.push(entry.events[0]?.type ?? ''))
    expect(await harness.openAccount()).toBe(1)
    expect(published).toEqual(['accountOpened'])
    expect(harness.errors).toEqual(['publishing a commit: Error: oops'])
  })

  it('writes nothing for a rejection or a price that triggers nothing', async () => {
    const database = await databases.open()
    const harness = await createHarness(database)
    await harness.tick(108_469)
    const answer = await harness.engine.execute(marketOrder(77))
    expect(isRejection(answer) && answer.rejected).toBe('accountNotFound')
    // Only the terms.
    expect(await database.queries.selectFrom('journal').select('seq').execute()).toHaveLength(1)
  })

  it('closes a position when the price reaches its stop', async () => {
    const harness = await createHarness(await databases.open())
    const account = await harness.openAccount()
    await harness.tick(108_469)
    const stopped = await harness.engine.execute(marketOrder(account, { stopLoss: price(108_400) }))
    const closed = new Promise((resolve) => {
      harness.engine.onCommitted(({ entry }) => resolve(entry.events[0]))
    })
    await harness.tick(108_399)
    expect(await closed).toMatchObject({
      type: 'positionClosed',
      orderId: orderIdOf(stopped),
      reason: 'stopLoss',
    })
  })

  it('never lets the time of entries go back', async () => {
    const database = await databases.open()
    const harness = await createHarness(database)
    await harness.openAccount()
    harness.clock.at -= 10_000
    await harness.openAccount()
    const rows = await database.queries.selectFrom('journal').select('at').orderBy('seq').execute()
    expect(rows.map((row) => Number(row.at))).toEqual([START_OF_TEST, START_OF_TEST, START_OF_TEST])
  })

  it('gives a repeated request one effect, one answer and one entry', async () => {
    const database = await databases.open()
    const harness = await createHarness(database)
    const account = await harness.openAccount()
    await harness.tick(108_469)
    const order = marketOrder(account, { request: requestOf(account) })
    const duplicates = await Promise.all([harness.engine.execute(order), harness.engine.execute(order)])
    const later = await harness.engine.execute(order)
    const ids = [...duplicates, later].map(orderIdOf)
    expect(new Set(ids).size).toBe(1)
    expect(harness.engine.state().orders.size).toBe(1)
    expect([...duplicates, later].map((answer) => 'repeatOf' in answer && answer.repeatOf !== null)).toEqual([
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
    const harness = await createHarness(await databases.open())
    const account = await harness.openAccount()
    await harness.tick(108_469)
    await harness.engine.execute(marketOrder(account, { request: requestOf(account) }))
    const other = await harness.engine.execute(
      marketOrder(account, { side: 'sell', request: requestOf(account, { digest: 'other' }) }),
    )
    expect(isRejection(other) && other.rejected).toBe('requestIdReused')
  })

  it('recognises its requests after a restart, and continues its numbering', async () => {
    const place = await databases.place()
    const before = await createHarness(await databases.open(place))
    const account = await before.openAccount()
    await before.tick(108_469)
    const order = marketOrder(account, { request: requestOf(account) })
    const first = await before.engine.execute(order)
    await before.engine.stop()

    const after = await createHarness(await databases.open(place), { startAt: START_OF_TEST + 1_000 })
    await after.tick(108_470)
    expect(entryOf(await after.engine.execute(order))).toEqual(entryOf(first))
    const next = await after.engine.execute(marketOrder(account))
    expect(orderIdOf(next)).toBe(orderIdOf(first) + 1)
    expect(await after.openAccount()).toBe(account + 1)
  })

  it('watches every active order after a restart', async () => {
    const place = await databases.place()
    const before = await createHarness(await databases.open(place))
    const account = await before.openAccount()
    await before.tick(108_469)
    await before.engine.execute(marketOrder(account, { takeProfit: price(108_600) }))
    await before.engine.execute(marketOrder(account, { side: 'sell', targetPrice: price(108_700) }))
    await before.engine.stop()

    const after = await createHarness(await databases.open(place), { startAt: START_OF_TEST + 1_000 })
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

  it('refuses everything after it has stopped, and answers everybody', async () => {
    const harness = await createHarness(await databases.open())
    const inProgress = harness.engine.execute({ type: 'openAccount', ledger: 'demo' })
    const stopped = harness.engine.stop()
    expect(harness.engine.isReady()).toBe(false)
    expect(isUnavailable(await harness.engine.execute({ type: 'openAccount', ledger: 'demo' }))).toBe(true)
    await stopped
    expect(await inProgress).toBeDefined()
  })
})
