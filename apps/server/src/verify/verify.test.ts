import { lots, money, price, type Event, type Price, type Transfer, type World } from '@fairlot/core'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Database, DatabaseKind, Queries } from '../database/open.ts'
import { decodeEntries, encodeEntry } from '../engine/entry-codec.ts'
import { headAt, nextRow, NO_ROW, type JournalHead } from '../engine/journal.ts'
import { withFaults } from '../testing/faulty-database.ts'
import { everyDatabase } from '../testing/on-every-database.ts'
import { openTraders } from '../testing/random-traders.ts'
import { marketOrder, orderIdOf, testWorld } from '../testing/test-world.ts'
import { openFloor } from '../testing/trading-floor.ts'
import { verify } from './verify.ts'

/** Half a minute before 17:00 in New York. */
const BEFORE_ROLLOVER = Date.UTC(2026, 0, 5, 21, 59, 30)
const STEPS = 150

/** A database in which everything has happened: fills, parts, reversals, trailing stops, a night, a stop-out, a reset. */
async function tradedDatabase(database: Database): Promise<void> {
  const floor = await openFloor(database, { startAt: BEFORE_ROLLOVER })
  const traders = await openTraders(floor, 11)
  for (let step = 1; step <= STEPS; step += 1) await traders.step()
  const accountId = await floor.openAccount()
  const { engine } = floor
  await floor.tick(108_000)
  const orderId = orderIdOf(await engine.execute(marketOrder(accountId, { lots: lots(2_000) })))
  await engine.execute({ type: 'closePosition', accountId, orderId, lots: lots(500) })
  const gambler = await floor.openAccount()
  await engine.execute(marketOrder(gambler, { lots: lots(400_000), leverage: 100 }))
  await engine.execute({ type: 'haltInstrument', instrumentId: 1, reason: 'a test' })
  await engine.execute({ type: 'haltInstrument', instrumentId: 1, reason: null })
  // Far below what the gambler has: the house lifts the account back to zero.
  await floor.tick(100_000)
  floor.clock.at += 3_600_000
  await floor.tick(100_010)
  await engine.caughtUp()
  expect(floor.errors).toEqual([])
  await engine.stop()
}

const eventTypesOf = async (queries: Queries): Promise<string> =>
  (await queries.selectFrom('receipt').select('body').execute()).map(({ body }) => body).join()

describe.each(everyDatabase)('verify, $kind', (databases) => {
  it('finds nothing in a database in which everything has happened', async () => {
    const database = await databases.open()
    await tradedDatabase(database)
    const told = await eventTypesOf(database.queries)
    const kinds = [
      'orderPlaced',
      'positionOpened',
      'orderCancelled',
      'positionClosed',
      'positionReduced',
      'swapBooked',
    ]
    for (const type of [...kinds, 'stopOut', 'protection', 'stopLoss', 'demoReset'])
      expect(told).toContain(type)
    const { difference, counts } = await verify(database.queries, testWorld())
    expect(difference).toBeNull()
    expect(counts.accounts).toBe(5)
    expect(counts.orders).toBeGreaterThan(100)
    expect(counts.receipts).toBeGreaterThan(counts.orders)
    expect(counts.transfers).toBeGreaterThan(counts.orders)
    const one = await verify(database.queries, testWorld(), 1)
    expect(one.difference).toBeNull()
    expect(one.counts.receipts).toBeLessThan(counts.receipts)
  })

  it('finds nothing while the tables are behind the journal, or there is nothing yet', async () => {
    const { database, faults } = withFaults(await databases.open())
    expect((await verify(database.queries, testWorld())).difference).toBeNull()
    const floor = await openFloor(database)
    const traders = await openTraders(floor, 12)
    for (let step = 1; step <= 20; step += 1) await traders.step()
    await floor.engine.caughtUp()
    faults.add('tables')
    for (let step = 1; step <= 20; step += 1) await traders.step()
    expect((await verify(database.queries, testWorld())).difference).toBeNull()
    faults.clear()
  })

  it('finds nothing after two days without a request, which is forgotten by then', async () => {
    const database = await databases.open()
    const { engine, clock, tick, openAccount } = await openFloor(database)
    const accountId = await openAccount()
    await tick(108_000)
    const request = { accountId, call: 'any', id: '1', digest: 'any' }
    await engine.execute(marketOrder(accountId, { request }))
    clock.at += 50 * 3_600_000
    await tick(108_001)
    await tick(108_002)
    await engine.caughtUp()
    expect((await verify(database.queries, testWorld())).difference).toBeNull()
  })

  it('finds and names every planted corruption', async () => {
    const database = await databases.open()
    await tradedDatabase(database)
    const missed: string[] = []
    for (const [name, { plant, told }] of Object.entries(CORRUPTIONS)) {
      const difference = await differenceWith(database, plant)
      if (!told.test(difference ?? '')) missed.push(`${name}: ${difference}`)
    }
    expect(missed).toEqual([])
    expect((await verify(database.queries, testWorld())).difference).toBeNull()
  })

  it('finds every figure that does not follow from its tick, though the journal was forged with new hashes', async () => {
    const database = await databases.open()
    await tradedDatabase(database)
    const missed: string[] = []
    for (const [name, { edit, told }] of Object.entries(FORGERIES)) {
      const difference = await differenceWith(database, (queries) => forge(queries, edit))
      if (!told.test(difference ?? '')) missed.push(`${name}: ${difference}`)
    }
    expect(missed).toEqual([])
  })

  it('finds that other terms than those of the receipts would give other amounts', async () => {
    const database = await databases.open()
    await tradedDatabase(database)
    const { settings, instruments, isOpen } = testWorld()
    const other: World = {
      settings: { ...settings, feeType: 'fixed' },
      instruments,
      isOpen,
    }
    expect((await verify(database.queries, other)).difference).toMatch(/fee is "?\d+"?, it should be/)
  })
})

type Corruption = { plant: (queries: Queries) => Promise<unknown>; told: RegExp }

const run = (statement: string) => (queries: Queries) => sql.raw(statement).execute(queries)

const CORRUPTIONS: Record<string, Corruption> = {
  'edited amount of the ledger': {
    plant: run('update transfer set amount = amount + 1 where id = 20'),
    told: /^ledger row 20: amount/,
  },
  'edited balance of the ledger': {
    plant: run('update transfer set credit_balance = credit_balance + 1 where id = 21'),
    told: /^ledger row 21: credit_balance/,
  },
  'edited entry number of the ledger': {
    plant: run('update transfer set debit_entry = debit_entry + 1 where id = 22'),
    told: /^ledger row 22: debit_entry/,
  },
  'ledger row of somebody else': {
    plant: run("update transfer set credit = 'available:1' where id = 2"),
    told: /^ledger row 2: (credit|account)/,
  },
  'deleted ledger row': {
    plant: run('delete from transfer where id = 23'),
    told: /^ledger row 23 is missing/,
  },
  'deleted last ledger row': {
    plant: run('delete from transfer where id = (select max(id) from transfer)'),
    told: /^ledger row \d+ is missing/,
  },
  'added ledger row': {
    plant:
      run(`insert into transfer select id + 1, at, debit, credit, amount, kind, order_id, account_id, debit_balance,
      debit_entry, credit_balance, credit_entry from transfer where id = (select max(id) from transfer)`),
    told: /^ledger row \d+ is not in the journal/,
  },
  'wrong balance': {
    plant: run("update ledger_account set balance = balance + 1 where id = 'available:1'"),
    told: /balances .*balance is/,
  },
  'edited price of an order': {
    plant: run('update trade_order set open_price = open_price - 1 where id = 3'),
    told: /^order 3: open_price/,
  },
  'edited profit of an order': {
    plant: run(
      "update trade_order set profit = profit + 1 where id = (select min(id) from trade_order where status = 'closed')",
    ),
    told: /^order \d+: profit/,
  },
  'edited swap of an order': {
    plant: run(
      'update trade_order set swap = swap + 1 where id = (select min(id) from trade_order where swap <> 0)',
    ),
    told: /^order \d+: swap/,
  },
  'order brought back to life': {
    plant: run(
      "update trade_order set status = 'holding' where id = (select min(id) from trade_order where status = 'closed')",
    ),
    told: /^order \d+: status/,
  },
  'deleted order': { plant: run('delete from trade_order where id = 3'), told: /^order 3: it is missing/ },
  'order that never was': {
    plant: async (queries) => {
      const row = await queries
        .selectFrom('trade_order')
        .selectAll()
        .where('status', '=', 'closed')
        .limit(1)
        .executeTakeFirstOrThrow()
      await queries
        .insertInto('trade_order')
        .values({ ...row, id: 2n ** 40n })
        .execute()
    },
    told: /orders in the table, the journal knows/,
  },
  'moved stop of a living order': {
    plant: run(
      "update trade_order set stop_loss = 1 where id = (select max(id) from trade_order where status = 'holding')",
    ),
    told: /^order \d+: stop_loss/,
  },
  'edited body of a receipt': {
    plant: run(`update receipt set body = replace(body, '"slippage":0', '"slippage":1') where id = 5`),
    told: /^receipt 5: body/,
  },
  'edited hash of a receipt': {
    plant: run('update receipt set hash = previous_hash where id = 6'),
    told: /^receipt 6: hash/,
  },
  'swapped receipts': {
    plant: async (queries) => {
      const [first, second] = await queries
        .selectFrom('receipt')
        .selectAll()
        .where('id', 'in', [7n, 8n])
        .orderBy('id')
        .execute()
      if (!first || !second) throw new Error('there are no two receipts')
      await queries.deleteFrom('receipt').where('id', 'in', [7n, 8n]).execute()
      await queries
        .insertInto('receipt')
        .values([
          { ...first, id: 8n },
          { ...second, id: 7n },
        ])
        .execute()
    },
    told: /^receipt 7: /,
  },
  'deleted receipt': { plant: run('delete from receipt where id = 9'), told: /^receipt 9 is missing/ },
  'edited journal row': {
    plant: run(`update journal set entries = replace(entries, '"lots":', '"lots":1') where seq = 8`),
    told: /^the journal is broken at row 8/,
  },
  'deleted journal row': {
    plant: run('delete from journal where seq = 9'),
    told: /^the journal is broken at row 10/,
  },
  'cut journal': {
    plant: run('delete from journal where seq > (select max(seq) - 3 from journal)'),
    told: /^the journal ends at row \d+, the tables reach row \d+/,
  },
  'lifted halt': {
    plant: run(
      `update engine_fact set value = replace(value, 'null', '"forged"') where name like 'instrumentHalted%'`,
    ),
    told: /halts/,
  },
}

type Forgery = { edit: (event: Event) => Event | null; told: RegExp }

const FORGERIES: Record<string, Forgery> = {
  'open price': {
    edit: (event) =>
      event.type === 'positionOpened' ? { ...event, openPrice: price(event.openPrice - 1) } : null,
    told: /^journal row \d+: positionOpened of order \d+: open price is \d+, it should be \d+$/,
  },
  margin: {
    edit: (event) =>
      event.type === 'positionOpened' ? { ...event, margin: money(event.margin - 1n) } : null,
    told: /positionOpened of order \d+: margin/,
  },
  'fee without its transfer': {
    edit: (event) => (event.type === 'positionOpened' ? { ...event, transfers: [] } : null),
    told: /positionOpened of order \d+: transfers/,
  },
  fee: {
    edit: (event) => (event.type === 'positionOpened' ? { ...event, fee: money(event.fee + 1n) } : null),
    told: /positionOpened of order \d+: fee/,
  },
  reserve: {
    edit: (event) => (event.type === 'orderPlaced' ? { ...event, margin: money(event.margin + 1n) } : null),
    told: /orderPlaced of order \d+: margin/,
  },
  profit: {
    edit: (event) =>
      event.type === 'positionClosed' ? { ...event, profit: money(event.profit + 1n) } : null,
    told: /positionClosed of order \d+: profit/,
  },
  'close price': {
    edit: (event) =>
      event.type === 'positionClosed' && event.closePrice !== null
        ? { ...event, closePrice: price(event.closePrice + 1) }
        : null,
    told: /positionClosed of order \d+: close price/,
  },
  slippage: {
    edit: (event) =>
      event.type === 'positionClosed' ? { ...event, receipt: { ...event.receipt, slippage: 7 } } : null,
    told: /positionClosed of order \d+: slippage/,
  },
  'side of the quote': {
    edit: (event) =>
      event.type === 'positionOpened' && event.side === 'buy'
        ? { ...event, receipt: { ...event.receipt, quoteSide: 'bid' } }
        : null,
    told: /positionOpened of order \d+: side of the quote/,
  },
  delay: {
    edit: (event) =>
      event.type === 'positionClosed' ? { ...event, receipt: { ...event.receipt, delayMs: -1 } } : null,
    told: /positionClosed of order \d+: delay/,
  },
  'margin of a part': {
    edit: (event) =>
      event.type === 'positionReduced' ? { ...event, margin: money(event.margin + 1n) } : null,
    told: /positionReduced of order \d+: margin/,
  },
  swap: {
    edit: (event) => (event.type === 'swapBooked' ? { ...event, amount: money(event.amount + 1n) } : null),
    told: /swapBooked of order \d+: swap/,
  },
  'night booked twice': {
    edit: (event) => (event.type === 'swapBooked' ? { ...event, nights: event.nights * 2 } : null),
    told: /swapBooked of order \d+: nights/,
  },
  'protection withheld': {
    edit: (event) => {
      if (event.type !== 'positionClosed') return null
      const transfers = event.transfers.filter(({ kind }) => kind !== 'protection')
      return transfers.length < event.transfers.length ? { ...event, transfers } : null
    },
    told: /positionClosed of order \d+: transfers/,
  },
  'demo issue': {
    edit: (event) =>
      event.type === 'accountOpened' ? { ...event, transfers: raised(event.transfers) } : null,
    told: /^journal row \d+: accountOpened: transfers 0 amount/,
  },
  'demo reset': {
    edit: (event) =>
      event.type === 'moneyMoved' && event.transfers.length > 0
        ? { ...event, transfers: raised(event.transfers) }
        : null,
    told: /^journal row \d+: moneyMoved: transfers 0 amount/,
  },
  'money that moves without a reset': {
    edit: (event) =>
      event.type === 'moneyMoved' ? { ...event, accountId: event.accountId === 1 ? 2 : 1 } : null,
    told: /moneyMoved: (living orders|transfers)|without a demo reset/,
  },
  'a loss forgiven as if by a reset': {
    edit: (event) => {
      if (event.type !== 'positionClosed' || event.reason !== 'user') return null
      const receipt = { ...event.receipt, quoteSide: null, filledPrice: null, slippage: 0 }
      const free = { closePrice: null, profit: money(0n), transfers: [] }
      return { ...event, ...free, reason: 'demoReset', receipt }
    },
    told: /positionClosed of order \d+: ended without a fill and without a demo reset/,
  },
  'a fill at a stale price': {
    edit: (event) => (event.type === 'positionOpened' ? withTick(event, { ageMs: 60_001 }) : null),
    told: /positionOpened of order \d+: age of the tick, up to 60000 ms is 60000, it should be \d+/,
  },
  'a fill before its tick': {
    edit: (event) => (event.type === 'positionOpened' ? withTick(event, { ageMs: -1 }) : null),
    told: /positionOpened of order \d+: delay is not negative/,
  },
  'a tick that no guard would accept': {
    edit: (event) =>
      event.type === 'positionClosed' && event.receipt.tick
        ? withTick(event, { ask: price(event.receipt.tick.bid - 1) })
        : null,
    told: /positionClosed of order \d+: tick is "crossed", it should be "accepted"/,
  },
  'a spread wider than any accepted': {
    edit: (event) =>
      event.type === 'positionOpened' && event.side === 'sell'
        ? withTick(event, { ask: price(event.openPrice + 5_000) })
        : null,
    told: /positionOpened of order \d+: tick is "wideSpread"/,
  },
  'another conversion': {
    edit: (event) => {
      if (event.type !== 'positionOpened' || !event.receipt.tick) return null
      return { ...event, receipt: { ...event.receipt, conversion: [event.receipt.tick] } }
    },
    told: /positionOpened of order \d+: conversion 0 is 1, it should be missing/,
  },
  'a limit filled before its price': {
    edit: (event) =>
      event.type === 'positionOpened' && event.kind === 'limit' && event.side === 'buy'
        ? withTick(event, { ask: price((event.targetPrice ?? 0) + 1) })
        : null,
    told: /positionOpened of order \d+: price reached/,
  },
  'a stop loss before its price': {
    edit: (event) =>
      event.type === 'positionClosed' && event.reason === 'stopLoss' && event.receipt.quoteSide === 'ask'
        ? withTick(event, { ask: price((event.receipt.requestedPrice ?? 0) - 1) })
        : null,
    told: /positionClosed of order \d+: (price reached|tick is "crossed")/,
  },
  'more lots than were placed': {
    edit: (event) =>
      event.type === 'positionOpened' && event.kind !== 'market'
        ? { ...event, lots: lots(event.lots + 100) }
        : null,
    told: /positionOpened of order \d+: lots is \d+, it should be \d+/,
  },
  'an end left out': {
    edit: (event) => (event.type === 'orderCancelled' ? { type: 'rolledOver', rollover: 1 } : null),
    told: /^(receipt|order|journal row) /,
  },
}

const raised = (transfers: readonly Transfer[]): Transfer[] =>
  transfers.map((transfer) => ({ ...transfer, amount: money(transfer.amount + 1n) }))

/** The event with another tick; `ageMs` is how old it was, and its delay says so. */
function withTick<Proven extends Extract<Event, { receipt: unknown }>>(
  event: Proven,
  { ageMs, ...prices }: { ageMs?: number; ask?: Price },
): Proven {
  const { tick, delayMs } = event.receipt
  if (!tick) throw new Error(`${event.type} names no tick`)
  const moved = ageMs === undefined ? 0 : ageMs - delayMs
  const forged = { ...tick, ...prices, time: tick.time - moved, receivedAt: tick.receivedAt - moved }
  return { ...event, receipt: { ...event.receipt, tick: forged, delayMs: delayMs + moved } }
}

/** Changes the first event that an edit takes, and gives every row from there on a hash that fits. */
async function forge(queries: Queries, edit: Forgery['edit']): Promise<void> {
  let previous: JournalHead = { seq: 0, hash: NO_ROW.hash, at: 0 }
  let isDone = false
  for (const row of await queries.selectFrom('journal').selectAll().orderBy('seq').execute()) {
    const entries = decodeEntries(row.entries).map((entry) => ({
      ...entry,
      events: entry.events.map((event) => {
        const edited = isDone ? null : edit(event)
        isDone ||= edited !== null
        return edited ?? event
      }),
    }))
    const forged = nextRow(previous, { at: Number(row.at), entries: entries.map(encodeEntry) }, row.writer)
    await queries.updateTable('journal').set(forged).where('seq', '=', row.seq).execute()
    previous = headAt(forged)
  }
  expect(isDone).toBe(true)
}

/** Plants a corruption, looks, and takes it back. */
async function differenceWith(database: Database, plant: Corruption['plant']): Promise<string | null> {
  let difference: string | null = null
  const undo = new Error('taken back')
  await database.queries
    .transaction()
    .execute(async (transaction) => {
      await unguard(transaction, database.kind)
      await plant(transaction)
      difference = (await verify(transaction, testWorld())).difference
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
  return difference
}

/** Takes the guards off the append-only tables, as somebody who owns the database could. */
async function unguard(queries: Queries, kind: DatabaseKind): Promise<void> {
  if (kind === 'postgres')
    return void (await sql.raw('set local session_replication_role = replica').execute(queries))
  for (const table of ['journal', 'transfer', 'receipt']) {
    for (const action of ['update', 'delete'])
      await sql.raw(`drop trigger ${table}_no_${action}`).execute(queries)
  }
}
