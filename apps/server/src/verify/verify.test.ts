import { price } from '@fairlot/core'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Queries } from '../database/open.ts'
import { withFaults } from '../testing/faulty-database.ts'
import { everyDatabase } from '../testing/on-every-database.ts'
import { openTraders } from '../testing/random-traders.ts'
import { EURUSD, marketOrder } from '../../../../testing/test-world.ts'
import { changeInstrument } from '../testing/terms.ts'
import { openFloor } from '../testing/trading-floor.ts'
import { differenceWith, tradedDatabase } from './test-kit.ts'
import { verify } from './verify.ts'

const DAY_MS = 86_400_000

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
    const { difference, counts } = await verify(database)
    expect(difference).toBeNull()
    expect(counts.accounts).toBe(5)
    expect(counts.orders).toBeGreaterThan(100)
    expect(counts.receipts).toBeGreaterThan(counts.orders)
    expect(counts.transfers).toBeGreaterThan(counts.orders)
    const one = await verify(database, 1)
    expect(one.difference).toBeNull()
    expect(one.counts.receipts).toBeLessThan(counts.receipts)
  })

  it('finds nothing while the tables are behind the journal, or there is nothing yet', async () => {
    const { database, faults } = withFaults(await databases.open())
    expect((await verify(database)).difference).toBeNull()
    const floor = await openFloor(database)
    const traders = await openTraders(floor, 12)
    for (let step = 1; step <= 20; step += 1) await traders.step()
    await floor.engine.caughtUp()
    faults.add('tables')
    for (let step = 1; step <= 20; step += 1) await traders.step()
    expect((await verify(database)).difference).toBeNull()
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
    expect((await verify(database)).difference).toBeNull()
  })

  it('finds nothing where terms changed while a night waited for its price', async () => {
    const database = await databases.open()
    const evening = await openFloor(database)
    const accountId = await evening.openAccount()
    await evening.tick(108_000)
    await evening.engine.execute(marketOrder(accountId))
    await evening.engine.stop()
    const morning = await openFloor(database, { startAt: evening.clock.at + DAY_MS })
    const { engine } = morning
    await engine.execute({ type: 'cancelOrder', accountId, orderId: 0 })
    await changeInstrument(engine, EURUSD.id, { minStopDistance: price(EURUSD.minStopDistance + 1) })
    await morning.tick(108_000)
    await engine.caughtUp()
    expect(await eventTypesOf(database.queries)).toContain('swapBooked')
    expect((await verify(database)).difference).toBeNull()
  })

  it('finds and names every planted corruption', { timeout: 120_000 }, async () => {
    const database = await databases.open()
    await tradedDatabase(database)
    const missed: string[] = []
    for (const [name, { plant, told }] of Object.entries(CORRUPTIONS)) {
      const difference = await differenceWith(database, plant)
      if (!told.test(difference ?? '')) missed.push(`${name}: ${difference}`)
    }
    expect(missed).toEqual([])
    expect((await verify(database)).difference).toBeNull()
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
      run(`insert into transfer (id, at, debit, credit, amount, kind, order_id, account_id, debit_balance,
      debit_entry, credit_balance, credit_entry) select id + 1, at, debit, credit, amount, kind, order_id, account_id, debit_balance,
      debit_entry, credit_balance, credit_entry from transfer where id = (select max(id) from transfer)`),
    told: /^ledger row \d+ is not in the journal/,
  },
  'account opened at another time': {
    plant: run('update account set opened_at = 5'),
    told: /^account 1: opened_at is "5", it should be \d+/,
  },
  'account of another ledger': {
    plant: run("update account set ledger = 'real' where id = 2"),
    told: /^account 2: ledger is "real", it should be "demo"/,
  },
  'account that nobody opened': {
    plant: run("insert into account (id, ledger, opened_at) values (99, 'demo', 5)"),
    told: /^account 99 is not in the journal/,
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
  'edited night of an order': {
    plant: run(
      'update trade_order set financed_at = financed_at + 1 where id = (select min(id) from trade_order where financed_at <> 0)',
    ),
    told: /^order \d+: financed_at/,
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
  'edited change of terms': {
    plant: run('update terms_change set effective_at = effective_at + 1 where change_id = 2'),
    told: /^change of terms 2: effective_at/,
  },
  'deleted change of terms': {
    plant: run('delete from terms_change where change_id = (select max(change_id) from terms_change)'),
    told: /^change of terms \d+ is missing/,
  },
  'edited reason of an operator': {
    plant: run("update operator_act set reason = 'another' where id = 1"),
    told: /^act of an operator 1: reason/,
  },
  'act that nobody did': {
    plant:
      run(`insert into operator_act (id, journal_seq, at, operator_id, role, reason, second_id, second_role, account_id, event)
      select id + 1, journal_seq, at, operator_id, role, reason, second_id, second_role, account_id, event
      from operator_act where id = (select max(id) from operator_act)`),
    told: /^act of an operator \d+ is not in the journal/,
  },
  'edited price of a marked moment': {
    plant: run('update price_mark set bid = bid + 1 where moment = (select max(moment) from price_mark)'),
    told: /^price of instrument 1 at \d+ bid is/,
  },
  'deleted price of a marked moment': {
    plant: run('delete from price_mark where moment = (select min(moment) from price_mark)'),
    told: /^price of instrument 1 at \d+: it is missing/,
  },
  'price that was never marked': {
    plant: run(`insert into price_mark (moment, instrument_id, bid, ask, seq, time, received_at, source)
      select moment, 99, bid, ask, seq, time, received_at, source from price_mark limit 1`),
    told: /marked prices in the table, the journal knows/,
  },
  'moment told of at another time': {
    plant: run('update price_moment set told_at = told_at + 1'),
    told: /^marked moment \d+: told_at/,
  },
  'moment that was never marked': {
    plant: run('insert into price_moment (moment, told_at) values (5, 6)'),
    told: /^marked moment 5 is not in the journal/,
  },
  'lifted halt': {
    plant: run(
      `update engine_fact set value = replace(value, 'null', '"forged"') where name like 'instrumentHalted%'`,
    ),
    told: /halts/,
  },
}
