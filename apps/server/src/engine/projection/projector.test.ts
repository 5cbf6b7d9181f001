import { setImmediate as nextTurn } from 'node:timers/promises'
import { CLOCK, lots, price } from '@fairlot/core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Queries } from '../../platform/database/open.ts'
import type { WrittenChange } from './committed-batch.ts'
import { createProjector } from './projector.ts'
import { readReceipt } from './receipt-chain.ts'
import { openProxy } from '../../testing/database-proxy.ts'
import { withFaults } from '../../testing/faulty-database.ts'
import { ledgerFaults } from '../../../../../testing/ledger-faults.ts'
import { everyDatabase, type Databases } from '../../testing/on-every-database.ts'
import { openTraders } from '../../testing/random-commands.ts'
import { marketOrder, orderIdOf } from '../../../../../testing/test-world.ts'
import { createHarness } from '../../testing/engine-harness.ts'

const modeChange: WrittenChange = {
  entry: {
    at: 1,
    author: CLOCK,
    request: null,
    events: [{ type: 'tradingModeSet', mode: 'cancelOnly' }],
  },
  postings: [],
  trailed: [],
  texts: [''],
}

const transfersOf = (queries: Queries) => queries.selectFrom('transfer').selectAll().orderBy('id').execute()

/** An engine with an account and a price, on tables that may fail. */
async function tradingOn(databases: Databases) {
  const { database, faults } = withFaults(await databases.open())
  const harness = await createHarness(database)
  const account = await harness.openAccount()
  await harness.tick(108_469)
  return { database, faults, harness, account }
}

describe.each(everyDatabase)('projector, $kind', (databases) => {
  it('numbers transfers and receipts without a gap, and derives every balance from the one before', async () => {
    const { database, faults } = withFaults(await databases.open())
    const harness = await createHarness(database)
    const traders = await openTraders(harness, 7)
    for (let step = 1; step <= 100; step += 1) {
      if (step % 10 === 0) faults.add('tables')
      if (step % 10 === 4) faults.clear()
      await traders.step()
    }
    faults.clear()
    await harness.engine.caughtUp()
    expect(await ledgerFaults(database.queries)).toEqual([])
    const receipts = await database.queries.selectFrom('receipt').select('id').orderBy('id').execute()
    expect(receipts.map((row) => row.id)).toEqual(receipts.map((_, index) => BigInt(index + 1)))
    expect(receipts.length).toBeGreaterThan(100)
    expect((await transfersOf(database.queries)).length).toBeGreaterThan(100)
  })

  it('writes every state of an order: pending, open, with stops, closed', async () => {
    const database = await databases.open()
    const harness = await createHarness(database)
    const account = await harness.openAccount()
    await harness.tick(108_469)
    const orderOf = async (id: number) => {
      await harness.engine.caughtUp()
      return database.queries
        .selectFrom('trade_order')
        .selectAll()
        .where('id', '=', BigInt(id))
        .executeTakeFirst()
    }
    const id = orderIdOf(await harness.engine.execute(marketOrder(account, { targetPrice: price(108_400) })))
    expect(await orderOf(id)).toMatchObject({
      status: 'pending',
      kind: 'limit',
      open_price: null,
      stop_loss: null,
    })
    await harness.tick(108_390)
    expect(await orderOf(id)).toMatchObject({ status: 'holding', open_price: 108_393n, end_reason: 'none' })
    await harness.engine.execute({
      type: 'setStops',
      accountId: account,
      orderId: id,
      takeProfit: null,
      stopLoss: price(108_300),
    })
    expect(await orderOf(id)).toMatchObject({ status: 'holding', take_profit: null, stop_loss: 108_300n })
    harness.clock.at += 5_000
    await harness.tick(108_290)
    expect(await orderOf(id)).toMatchObject({
      status: 'closed',
      end_reason: 'stopLoss',
      close_price: 108_290n,
      profit: -1_030_000n,
      ended_at: BigInt(harness.clock.at),
    })
    const receipts = await database.queries
      .selectFrom('receipt')
      .select('body')
      .where('order_id', '=', BigInt(id))
      .orderBy('id')
      .execute()
    expect(receipts.map((row) => readReceipt(row.body).event.receipt.action)).toEqual([
      'place',
      'open',
      'close',
    ])
  })

  it('writes a complete row for an order opened and closed between two writes', async () => {
    const { database, faults, harness, account } = await tradingOn(databases)
    faults.add('tables')
    const id = orderIdOf(await harness.engine.execute(marketOrder(account)))
    await harness.engine.execute({ type: 'closePosition', accountId: account, orderId: id })
    faults.clear()
    await harness.engine.caughtUp()
    const rows = await database.queries.selectFrom('trade_order').selectAll().execute()
    expect(rows).toMatchObject([
      { id: BigInt(id), status: 'closed', open_price: 108_472n, close_price: 108_469n },
    ])
  })

  it('leaves the opening fee with the position when a part of it is closed', async () => {
    const database = await databases.open()
    const harness = await createHarness(database)
    const accountId = await harness.openAccount()
    await harness.tick(108_469)
    const orderId = orderIdOf(await harness.engine.execute(marketOrder(accountId, { lots: lots(300) })))
    await harness.engine.execute({ type: 'closePosition', accountId, orderId, lots: lots(100) })
    await harness.engine.caughtUp()
    const rows = await database.queries.selectFrom('trade_order').selectAll().orderBy('id').execute()
    // 0.03 lots: 3,000 x 1.08472 / 30 = 108.472, a thousandth of it.
    expect(rows).toMatchObject([
      { status: 'holding', lots: 200n, fee: 108_472n },
      { status: 'closed', lots: 100n, fee: 0n, parent_id: BigInt(orderId) },
    ])
  })

  it('keeps the last rollover of an order, whether rollovers are written one by one or together', async () => {
    const { database, faults, harness, account: accountId } = await tradingOn(databases)
    await harness.engine.execute(marketOrder(accountId))
    const nextDay = async () => {
      harness.clock.at += 86_400_000
      await harness.tick(108_469)
      await vi.waitUntil(() => harness.engine.state().rollovers.size === 0)
    }
    await nextDay()
    await harness.engine.caughtUp()
    faults.add('tables')
    await nextDay()
    await nextDay()
    faults.clear()
    await harness.engine.caughtUp()
    const booked = (await transfersOf(database.queries)).filter(({ kind }) => kind === 'swap')
    const { lastRollover } = harness.engine.state()
    const order = await database.queries.selectFrom('trade_order').selectAll().executeTakeFirstOrThrow()
    expect(booked.length).toBe(3)
    expect(order.financed_at).toBe(BigInt(lastRollover))
  })

  it('repeats a failed write until it succeeds, and writes nothing twice', async () => {
    const { database, faults } = withFaults(await databases.open())
    const harness = await createHarness(database)
    faults.add('tables')
    const account = await harness.openAccount()
    await harness.tick(108_469)
    await harness.engine.execute(marketOrder(account))
    while (harness.errors.length < 2) await new Promise((resolve) => setImmediate(resolve))
    faults.clear()
    await harness.engine.caughtUp()
    expect(harness.errors[0]).toBe('writing the tables: Error: the connection broke')
    expect((await transfersOf(database.queries)).map((row) => row.kind)).toEqual(['demoIssue', 'fee'])
    expect(await ledgerFaults(database.queries)).toEqual([])
  })

  it('continues after a write whose answer was lost, and writes nothing twice', async () => {
    const { database, faults, harness, account } = await tradingOn(databases)
    await harness.engine.caughtUp()
    for (let round = 1; round <= 3; round += 1) {
      const before = harness.errors.length
      faults.add('afterTables')
      await harness.engine.execute(marketOrder(account))
      while (harness.errors.length === before) await nextTurn()
      faults.clear()
      await harness.engine.caughtUp()
    }
    expect((await transfersOf(database.queries)).map((row) => row.kind)).toEqual([
      'demoIssue',
      'fee',
      'fee',
      'fee',
    ])
    expect(await ledgerFaults(database.queries)).toEqual([])
  })

  it('reads the outcome of a write over another connection, even if the broken one cannot be closed', async () => {
    const { database, faults, harness, account } = await tradingOn(databases)
    await harness.engine.caughtUp()
    faults.add('afterTables').add('closing')
    await harness.engine.execute(marketOrder(account))
    await harness.engine.caughtUp()
    faults.clear()
    expect((await transfersOf(database.queries)).map((row) => row.kind)).toEqual(['demoIssue', 'fee'])
  })

  it('resolves readers while every answer is lost', async () => {
    const { database, faults } = withFaults(await databases.open())
    const harness = await createHarness(database)
    faults.add('afterTables')
    const account = await harness.openAccount()
    await harness.tick(108_469)
    for (let order = 1; order <= 3; order += 1) {
      await harness.engine.execute(marketOrder(account))
      await harness.engine.caughtUp()
    }
    expect((await transfersOf(database.queries)).map((row) => row.kind)).toEqual([
      'demoIssue',
      'fee',
      'fee',
      'fee',
    ])
  })

  it('reads the outcome of a write later when the database is unreachable after it', async () => {
    const { database, faults, harness, account } = await tradingOn(databases)
    await harness.engine.caughtUp()
    faults.add('afterTables')
    await harness.engine.execute(marketOrder(account))
    const before = harness.errors.length
    while (harness.errors.length === before) await nextTurn()
    faults.add('everything')
    while (harness.errors.length < before + 3) await nextTurn()
    faults.clear()
    await harness.engine.caughtUp()
    expect((await transfersOf(database.queries)).map((row) => row.kind)).toEqual(['demoIssue', 'fee'])
    expect(await ledgerFaults(database.queries)).toEqual([])
  })

  it('writes nothing until the tables lag behind more than allowed', async () => {
    let most = 1
    const onError = (error: unknown) => expect.unreachable(String(error))
    const options = { database: await databases.open(), mayLag: () => most, onError }
    const numbers = { transferId: 0, receiptId: 0, actionId: 0, termsVersion: 0 }
    const projector = createProjector({ ...options, start: { seq: 0, numbers } })
    onTestFinished(projector.stop)
    const push = (seq: number) => projector.push({ seq, changes: [modeChange] })
    push(1)
    projector.wake()
    for (let turn = 1; turn <= 20; turn += 1) await nextTurn()
    expect(projector.lag()).toBe(1)
    push(2)
    await projector.attempted()
    expect(projector.lag()).toBe(0)
    push(3)
    most = 0
    projector.wake()
    await projector.attempted()
    expect(projector.lag()).toBe(0)
  })

  it('drops expired requests', async () => {
    const database = await databases.open()
    const harness = await createHarness(database)
    const account = await harness.openAccount()
    const reset = (id: string) =>
      harness.engine.execute({
        type: 'resetDemo',
        accountId: account,
        request: { accountId: account, call: 'reset', id, digest: '' },
      })
    await reset('old')
    harness.clock.at += 49 * 3_600_000
    await reset('new')
    await harness.engine.caughtUp()
    const kept = await database.queries.selectFrom('request').select('request_id').execute()
    expect(kept).toEqual([{ request_id: 'new' }])
  })

  it('stops at once, even while the tables cannot be written', async () => {
    const { database, faults } = withFaults(await databases.open())
    const harness = await createHarness(database)
    faults.add('tables')
    await harness.openAccount()
    const caughtUp = harness.engine.caughtUp()
    await harness.engine.stop()
    await caughtUp
    expect(await database.queries.selectFrom('account').selectAll().execute()).toEqual([])
  })
})

/** Only a database server has a network connection that can break. */
const overNetwork = everyDatabase.filter(({ kind }) => kind === 'postgres')

describe.runIf(overNetwork.length > 0).each(overNetwork)('projector over a network, $kind', (databases) => {
  it('continues after a commit whose answer the network has lost', async () => {
    const place = await databases.place()
    const proxy = await openProxy({ ...place, databaseUrl: place.databaseUrl ?? '' })
    onTestFinished(() => proxy.close())
    const database = await databases.open(proxy.place)
    const harness = await createHarness(database)
    const account = await harness.openAccount()
    await harness.tick(108_469)
    await harness.engine.caughtUp()
    proxy.dropCommitAnswer()
    await harness.engine.execute(marketOrder(account))
    await harness.engine.caughtUp()
    expect(harness.errors).toHaveLength(1)
    await harness.engine.execute(marketOrder(account))
    await harness.engine.caughtUp()
    expect((await transfersOf(database.queries)).map((row) => row.kind)).toEqual(['demoIssue', 'fee', 'fee'])
    expect(await ledgerFaults(database.queries)).toEqual([])
  })
})
