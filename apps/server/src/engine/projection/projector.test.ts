import { setImmediate as nextTurn } from 'node:timers/promises'
import { CLOCK, lots, price } from '@fairlot/core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Queries } from '../../database/open.ts'
import type { WrittenChange } from './committed-batch.ts'
import { createProjector } from './projector.ts'
import { readReceipt } from './receipt-chain.ts'
import { withFaults } from '../../testing/faulty-database.ts'
import { ledgerFaults } from '../../../../../testing/ledger-faults.ts'
import { everyDatabase } from '../../testing/on-every-database.ts'
import { openTraders } from '../../testing/random-traders.ts'
import { marketOrder, orderIdOf } from '../../../../../testing/test-world.ts'
import { openFloor } from '../../testing/trading-floor.ts'

const modeChange: WrittenChange = {
  entry: {
    ...{ at: 1, author: CLOCK, request: null },
    events: [{ type: 'tradingModeSet', mode: 'cancelOnly' }],
  },
  ...{ postings: [], trailed: [], texts: [''] },
}

const transfersOf = (queries: Queries) => queries.selectFrom('transfer').selectAll().orderBy('id').execute()

describe.each(everyDatabase)('projector, $kind', (databases) => {
  it('numbers transfers and receipts without a gap, and every balance follows from the one before', async () => {
    const { database, faults } = withFaults(await databases.open())
    const floor = await openFloor(database)
    const traders = await openTraders(floor, 7)
    for (let step = 1; step <= 100; step += 1) {
      if (step % 10 === 0) faults.add('tables')
      if (step % 10 === 4) faults.clear()
      await traders.step()
    }
    faults.clear()
    await floor.engine.caughtUp()
    expect(await ledgerFaults(database.queries)).toEqual([])
    const receipts = await database.queries.selectFrom('receipt').select('id').orderBy('id').execute()
    expect(receipts.map((row) => row.id)).toEqual(receipts.map((_, index) => BigInt(index + 1)))
    expect(receipts.length).toBeGreaterThan(100)
    expect((await transfersOf(database.queries)).length).toBeGreaterThan(100)
  })

  it('writes an order through its life: pending, holding, with stops, closed', async () => {
    const database = await databases.open()
    const floor = await openFloor(database)
    const account = await floor.openAccount()
    await floor.tick(108_469)
    const orderOf = async (id: number) => {
      await floor.engine.caughtUp()
      return database.queries
        .selectFrom('trade_order')
        .selectAll()
        .where('id', '=', BigInt(id))
        .executeTakeFirst()
    }
    const id = orderIdOf(await floor.engine.execute(marketOrder(account, { targetPrice: price(108_400) })))
    expect(await orderOf(id)).toMatchObject({
      status: 'pending',
      kind: 'limit',
      open_price: null,
      stop_loss: null,
    })
    await floor.tick(108_390)
    expect(await orderOf(id)).toMatchObject({ status: 'holding', open_price: 108_393n, end_reason: 'none' })
    await floor.engine.execute({
      type: 'setStops',
      accountId: account,
      orderId: id,
      takeProfit: null,
      stopLoss: price(108_300),
    })
    expect(await orderOf(id)).toMatchObject({ status: 'holding', take_profit: null, stop_loss: 108_300n })
    floor.clock.at += 5_000
    await floor.tick(108_290)
    expect(await orderOf(id)).toMatchObject({
      status: 'closed',
      end_reason: 'stopLoss',
      close_price: 108_290n,
      profit: -1_030_000n,
      ended_at: BigInt(floor.clock.at),
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

  it('writes an order whole that lived and died between two writes', async () => {
    const { database, faults } = withFaults(await databases.open())
    const floor = await openFloor(database)
    const account = await floor.openAccount()
    await floor.tick(108_469)
    faults.add('tables')
    const id = orderIdOf(await floor.engine.execute(marketOrder(account)))
    await floor.engine.execute({ type: 'closePosition', accountId: account, orderId: id })
    faults.clear()
    await floor.engine.caughtUp()
    const rows = await database.queries.selectFrom('trade_order').selectAll().execute()
    expect(rows).toMatchObject([
      { id: BigInt(id), status: 'closed', open_price: 108_472n, close_price: 108_469n },
    ])
  })

  it('leaves the opening fee with the position when a part of it is closed', async () => {
    const database = await databases.open()
    const floor = await openFloor(database)
    const accountId = await floor.openAccount()
    await floor.tick(108_469)
    const orderId = orderIdOf(await floor.engine.execute(marketOrder(accountId, { lots: lots(300) })))
    await floor.engine.execute({ type: 'closePosition', accountId, orderId, lots: lots(100) })
    await floor.engine.caughtUp()
    const rows = await database.queries.selectFrom('trade_order').selectAll().orderBy('id').execute()
    // 0.03 lots: 3,000 x 1.08472 / 30 = 108.472, a thousandth of it.
    expect(rows).toMatchObject([
      { status: 'holding', lots: 200n, fee: 108_472n },
      { status: 'closed', lots: 100n, fee: 0n, parent_id: BigInt(orderId) },
    ])
  })

  it('leaves the last night on its order, written one by one or together', async () => {
    const { database, faults } = withFaults(await databases.open())
    const floor = await openFloor(database)
    const accountId = await floor.openAccount()
    await floor.tick(108_469)
    await floor.engine.execute(marketOrder(accountId))
    const nextDay = async () => {
      floor.clock.at += 86_400_000
      await floor.tick(108_469)
      await vi.waitUntil(() => floor.engine.state().nights.size === 0)
    }
    await nextDay()
    await floor.engine.caughtUp()
    faults.add('tables')
    await nextDay()
    await nextDay()
    faults.clear()
    await floor.engine.caughtUp()
    const booked = (await transfersOf(database.queries)).filter(({ kind }) => kind === 'swap')
    const { lastNight } = floor.engine.state()
    const order = await database.queries.selectFrom('trade_order').selectAll().executeTakeFirstOrThrow()
    expect(booked.length).toBe(3)
    expect(order.financed_at).toBe(BigInt(lastNight))
  })

  it('tries a failed write again until it succeeds, and doubles nothing', async () => {
    const { database, faults } = withFaults(await databases.open())
    const floor = await openFloor(database)
    faults.add('tables')
    const account = await floor.openAccount()
    await floor.tick(108_469)
    await floor.engine.execute(marketOrder(account))
    while (floor.errors.length < 2) await new Promise((resolve) => setImmediate(resolve))
    faults.clear()
    await floor.engine.caughtUp()
    expect(floor.errors[0]).toBe('writing the tables: Error: the connection broke')
    expect((await transfersOf(database.queries)).map((row) => row.kind)).toEqual(['demoIssue', 'fee'])
    expect(await ledgerFaults(database.queries)).toEqual([])
  })

  it('writes nothing until the tables are farther behind than they may be now', async () => {
    let most = 1
    const onError = (error: unknown) => expect.unreachable(String(error))
    const options = { database: await databases.open(), mayLag: () => most, onError }
    const numbers = { transferId: 0, receiptId: 0, actId: 0, termsVersion: 0 }
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

  it('forgets requests after their time', async () => {
    const database = await databases.open()
    const floor = await openFloor(database)
    const account = await floor.openAccount()
    const reset = (id: string) =>
      floor.engine.execute({
        type: 'resetDemo',
        accountId: account,
        request: { accountId: account, call: 'reset', id, digest: '' },
      })
    await reset('old')
    floor.clock.at += 49 * 3_600_000
    await reset('new')
    await floor.engine.caughtUp()
    const kept = await database.queries.selectFrom('request').select('request_id').execute()
    expect(kept).toEqual([{ request_id: 'new' }])
  })

  it('stops at once, even while the tables cannot be written', async () => {
    const { database, faults } = withFaults(await databases.open())
    const floor = await openFloor(database)
    faults.add('tables')
    await floor.openAccount()
    const caughtUp = floor.engine.caughtUp()
    await floor.engine.stop()
    await caughtUp
    expect(await database.queries.selectFrom('account').selectAll().execute()).toEqual([])
  })
})
