import { price } from '@fairlot/core'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Queries } from '../platform/database/open.ts'
import { withFaults } from '../testing/faulty-database.ts'
import { everyDatabase } from '../testing/on-every-database.ts'
import { openTraders } from '../testing/random-commands.ts'
import { EURUSD, marketOrder } from '../../../../testing/test-world.ts'
import { changeInstrument } from '../testing/engine-setup.ts'
import { createHarness } from '../testing/engine-harness.ts'
import { differenceWith, forgeEvent, tradedDatabase } from './test-kit.ts'
import { verify } from './verify.ts'

const DAY_MS = 86_400_000

const eventTypesOf = async (queries: Queries): Promise<string> =>
  (await queries.selectFrom('receipt').select('body').execute()).map(({ body }) => body).join()

describe.each(everyDatabase)('verify, $kind', (databases) => {
  it('finds no difference in a database with every kind of event', async () => {
    const database = await databases.open()
    await tradedDatabase(database)
    const journaled = await eventTypesOf(database.queries)
    const kinds = [
      'orderPlaced',
      'positionOpened',
      'orderCancelled',
      'positionClosed',
      'positionReduced',
      'swapBooked',
    ]
    for (const type of [...kinds, 'stopOut', 'protection', 'stopLoss', 'demoReset'])
      expect(journaled).toContain(type)
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

  it('finds no difference while the tables lag, or in an empty database', async () => {
    const { database, faults } = withFaults(await databases.open())
    expect((await verify(database)).difference).toBeNull()
    const harness = await createHarness(database)
    const traders = await openTraders(harness, 12)
    for (let step = 1; step <= 20; step += 1) await traders.step()
    await harness.engine.caughtUp()
    faults.add('tables')
    for (let step = 1; step <= 20; step += 1) await traders.step()
    expect((await verify(database)).difference).toBeNull()
    faults.clear()
  })

  it('finds no difference after expired requests were dropped', async () => {
    const database = await databases.open()
    const { engine, clock, tick, openAccount } = await createHarness(database)
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

  it('finds no difference if terms changed while a rollover waited for its price', async () => {
    const database = await databases.open()
    const evening = await createHarness(database)
    const accountId = await evening.openAccount()
    await evening.tick(108_000)
    await evening.engine.execute(marketOrder(accountId))
    await evening.engine.stop()
    const morning = await createHarness(database, { startAt: evening.clock.at + DAY_MS })
    const { engine } = morning
    await engine.execute({ type: 'cancelOrder', accountId, orderId: 0 })
    await changeInstrument(engine, EURUSD.id, { minStopDistance: price(EURUSD.minStopDistance + 1) })
    await morning.tick(108_000)
    await expect.poll(() => engine.read(({ rollovers }) => rollovers.size)).toBe(0)
    await engine.caughtUp()
    expect(await eventTypesOf(database.queries)).toContain('swapBooked')
    expect((await verify(database)).difference).toBeNull()
  })

  it('finds no difference after a limit that was filled at once, but one where it was not reached', async () => {
    const database = await databases.open()
    const { engine, tick, openAccount } = await createHarness(database)
    const accountId = await openAccount()
    await tick(108_000)
    await engine.execute(marketOrder(accountId, { targetPrice: price(108_100), kind: 'limit' }))
    await engine.caughtUp()
    expect((await verify(database)).difference).toBeNull()
    const difference = await differenceWith(database, (queries) =>
      forgeEvent(queries, (event) =>
        event.type === 'positionOpened' ? { ...event, targetPrice: price(107_900) } : null,
      ),
    )
    expect(difference).toMatch(/price reached is false, it should be true/)
  })

  it('names every corruption', { timeout: 120_000 }, async () => {
    const database = await databases.open()
    await tradedDatabase(database)
    const missed: string[] = []
    for (const [name, { corrupt, difference: pattern }] of Object.entries(CORRUPTIONS)) {
      const difference = await differenceWith(database, corrupt)
      if (!pattern.test(difference ?? '')) missed.push(`${name}: ${difference}`)
    }
    expect(missed).toEqual([])
    expect((await verify(database)).difference).toBeNull()
  })
})

type Corruption = { corrupt: (queries: Queries) => Promise<unknown>; difference: RegExp }

const run = (statement: string) => (queries: Queries) => sql.raw(statement).execute(queries)

const CORRUPTIONS: Record<string, Corruption> = {
  'edited amount of the ledger': {
    corrupt: run('update transfer set amount = amount + 1 where id = 20'),
    difference: /^ledger row 20: amount/,
  },
  'edited balance of the ledger': {
    corrupt: run('update transfer set credit_balance = credit_balance + 1 where id = 21'),
    difference: /^ledger row 21: credit_balance/,
  },
  'edited entry number of the ledger': {
    corrupt: run('update transfer set debit_entry = debit_entry + 1 where id = 22'),
    difference: /^ledger row 22: debit_entry/,
  },
  'ledger row of somebody else': {
    corrupt: run("update transfer set credit = 'available:1' where id = 2"),
    difference: /^ledger row 2: (credit|account)/,
  },
  'deleted ledger row': {
    corrupt: run('delete from transfer where id = 23'),
    difference: /^ledger row 23 is missing/,
  },
  'deleted last ledger row': {
    corrupt: run('delete from transfer where id = (select max(id) from transfer)'),
    difference: /^ledger row \d+ is missing/,
  },
  'added ledger row': {
    corrupt:
      run(`insert into transfer (id, at, debit, credit, amount, kind, order_id, account_id, debit_balance,
      debit_entry, credit_balance, credit_entry) select id + 1, at, debit, credit, amount, kind, order_id, account_id, debit_balance,
      debit_entry, credit_balance, credit_entry from transfer where id = (select max(id) from transfer)`),
    difference: /^ledger row \d+ is not in the journal/,
  },
  'account opened at another time': {
    corrupt: run('update account set opened_at = 5'),
    difference: /^account 1: opened_at is "5", it should be \d+/,
  },
  'account of another ledger': {
    corrupt: run("update account set ledger = 'real' where id = 2"),
    difference: /^account 2: ledger is "real", it should be "demo"/,
  },
  'account that nobody opened': {
    corrupt: run("insert into account (id, ledger, opened_at) values (99, 'demo', 5)"),
    difference: /^account 99 is not in the journal/,
  },
  'wrong balance': {
    corrupt: run("update ledger_account set balance = balance + 1 where id = 'available:1'"),
    difference: /balances .*balance is/,
  },
  'edited price of an order': {
    corrupt: run('update trade_order set open_price = open_price - 1 where id = 3'),
    difference: /^order 3: open_price/,
  },
  'edited profit of an order': {
    corrupt: run(
      "update trade_order set profit = profit + 1 where id = (select min(id) from trade_order where status = 'closed')",
    ),
    difference: /^order \d+: profit/,
  },
  'edited rollover of an order': {
    corrupt: run(
      'update trade_order set financed_at = financed_at + 1 where id = (select min(id) from trade_order where financed_at <> 0)',
    ),
    difference: /^order \d+: financed_at/,
  },
  'reopened order': {
    corrupt: run(
      "update trade_order set status = 'holding' where id = (select min(id) from trade_order where status = 'closed')",
    ),
    difference: /^order \d+: status/,
  },
  'deleted order': {
    corrupt: run('delete from trade_order where id = 3'),
    difference: /^order 3: it is missing/,
  },
  'invented order': {
    corrupt: async (queries) => {
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
    difference: /orders in the table, the journal knows/,
  },
  'moved stop of an open order': {
    corrupt: run(
      "update trade_order set stop_loss = 1 where id = (select max(id) from trade_order where status = 'holding')",
    ),
    difference: /^order \d+: stop_loss/,
  },
  'edited body of a receipt': {
    corrupt: run(`update receipt set body = replace(body, '"slippage":0', '"slippage":1') where id = 5`),
    difference: /^receipt 5: body/,
  },
  'edited hash of a receipt': {
    corrupt: run('update receipt set hash = previous_hash where id = 6'),
    difference: /^receipt 6: hash/,
  },
  'swapped receipts': {
    corrupt: async (queries) => {
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
    difference: /^receipt 7: /,
  },
  'deleted receipt': {
    corrupt: run('delete from receipt where id = 9'),
    difference: /^receipt 9 is missing/,
  },
  'edited journal row': {
    corrupt: run(`update journal set entries = replace(entries, '"lots":', '"lots":1') where seq = 8`),
    difference: /^the journal is broken at row 8/,
  },
  'deleted journal row': {
    corrupt: run('delete from journal where seq = 9'),
    difference: /^the journal is broken at row 10/,
  },
  'cut journal': {
    corrupt: run('delete from journal where seq > (select max(seq) - 3 from journal)'),
    difference: /^the journal ends at row \d+, the tables reach row \d+/,
  },
  'edited change of terms': {
    corrupt: run('update terms_change set effective_at = effective_at + 1 where change_id = 2'),
    difference: /^change of terms 2: effective_at/,
  },
  'deleted change of terms': {
    corrupt: run('delete from terms_change where change_id = (select max(change_id) from terms_change)'),
    difference: /^change of terms \d+ is missing/,
  },
  'edited reason of an operator': {
    corrupt: run("update operator_act set reason = 'another' where id = 1"),
    difference: /^action of an operator 1: reason/,
  },
  'invented action': {
    corrupt:
      run(`insert into operator_act (id, journal_seq, at, operator_id, role, reason, second_id, second_role, account_id, event)
      select id + 1, journal_seq, at, operator_id, role, reason, second_id, second_role, account_id, event
      from operator_act where id = (select max(id) from operator_act)`),
    difference: /^action of an operator \d+ is not in the journal/,
  },
  'edited price of a snapshot': {
    corrupt: run('update price_mark set bid = bid + 1 where moment = (select max(moment) from price_mark)'),
    difference: /^price of instrument 1 at \d+ bid is/,
  },
  'deleted price of a snapshot': {
    corrupt: run('delete from price_mark where moment = (select min(moment) from price_mark)'),
    difference: /^price of instrument 1 at \d+: it is missing/,
  },
  'invented snapshot price': {
    corrupt: run(`insert into price_mark (moment, instrument_id, bid, ask, seq, time, received_at, source)
      select moment, 99, bid, ask, seq, time, received_at, source from price_mark limit 1`),
    difference: /snapshot prices in the table, the journal knows/,
  },
  'snapshot journaled at another time': {
    corrupt: run('update price_moment set told_at = told_at + 1'),
    difference: /^price snapshot \d+: told_at/,
  },
  'invented snapshot': {
    corrupt: run('insert into price_moment (moment, told_at) values (5, 6)'),
    difference: /^price snapshot 5 is not in the journal/,
  },
  'lifted halt': {
    corrupt: run(
      `update engine_fact set value = replace(value, 'null', '"forged"') where name like 'instrumentHalted%'`,
    ),
    difference: /halts/,
  },
}
