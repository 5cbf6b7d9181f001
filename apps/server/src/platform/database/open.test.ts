import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { everyDatabase } from '../../testing/on-every-database.ts'
import { inserted, updated, upserted } from './bulk.ts'
import type { Database, Queries } from './open.ts'

const balance = (id: string, amount: bigint) => ({ id, balance: amount, entry_count: 1n })
const written = (id: string, amount: bigint) => ({ id, balance: String(amount), entry_count: 1 })

const write = (database: Database, ...changes: Parameters<Database['writeRows']>[1][]) =>
  database.queries.transaction().execute(async (transaction) => {
    for (const change of changes) await database.writeRows(transaction, change)
  })

const balances = (queries: Queries) =>
  queries.selectFrom('ledger_account').selectAll().orderBy('id').execute()

async function fillAppendOnly(queries: Queries): Promise<void> {
  const row = { seq: 1n, at: 1n, writer: 'w', previous_hash: 'a', hash: 'b', entries: '[]' }
  await queries.insertInto('journal').values(row).execute()
  await queries
    .insertInto('receipt')
    .values({
      id: 1n,
      account_id: 1n,
      number: 1n,
      order_id: 1n,
      at: 1n,
      previous_hash: 'a',
      hash: 'b',
      body: '{}',
    })
    .execute()
  const posting = { debit_balance: -1n, debit_entry: 1n, credit_balance: 1n, credit_entry: 1n }
  const moved = { debit: 'available:1', credit: 'house:demo:fees', amount: 1n, kind: 'fee', order_id: null }
  await queries
    .insertInto('transfer')
    .values({ id: 1n, at: 1n, account_id: 1n, case_id: null, ...moved, ...posting })
    .execute()
  const price = { bid: 1n, ask: 2n, seq: 1n, time: 1n, received_at: 1n, source: 's', mark_up: 0n }
  await queries
    .insertInto('price_mark')
    .values({ moment: 1n, instrument_id: 1n, ...price })
    .execute()
  const operator = { operator_id: 1n, role: 'finance', reason: 'r', second_id: null, second_role: null }
  await queries
    .insertInto('operator_act')
    .values({ id: 1n, journal_seq: 1n, at: 1n, account_id: null, event: 'demoReset', ...operator })
    .execute()
}

describe.each(everyDatabase)('database, $kind', (databases) => {
  it.each([
    ['journal', 'at'],
    ['transfer', 'at'],
    ['receipt', 'at'],
    ['price_mark', 'time'],
    ['operator_act', 'at'],
  ] as const)('rejects every change of the rows of %s', async (table, column) => {
    const { queries } = await databases.open()
    await fillAppendOnly(queries)
    const refusal = new RegExp(`${table} is append-only`)
    const [named, changed] = [sql.table(table), sql.ref(column)]
    await expect(sql`update ${named} set ${changed} = 2`.execute(queries)).rejects.toThrow(refusal)
    await expect(queries.deleteFrom(table).execute()).rejects.toThrow(refusal)
    if (databases.kind === 'postgres')
      await expect(sql`truncate table ${named}`.execute(queries)).rejects.toThrow(refusal)
    const { rows } = await sql<{ value: bigint }>`select ${changed} as value from ${named}`.execute(queries)
    expect(rows).toEqual([{ value: 1n }])
  })

  it('keeps its rows when it is opened again', async () => {
    const place = await databases.place()
    const first = await databases.open(place)
    await first.queries.insertInto('setting').values({ name: 'a', value: 'b' }).execute()
    const second = await databases.open(place)
    expect(await second.queries.selectFrom('setting').selectAll().execute()).toEqual([
      { name: 'a', value: 'b', value_before: null, holds_from: null },
    ])
  })

  it('fails to open with a message when its tables were made by another version', async () => {
    const place = await databases.place()
    const { queries } = await databases.open(place)
    const rename = (from: string, to: string) =>
      sql`update kysely_migration set name = replace(name, ${from}, ${to})`.execute(queries)
    await rename('0001-', '0000-')
    await expect(databases.open(place)).rejects.toThrow(/made by another version of Fairlot/)
    await rename('0000-', '0001-')
  })

  it('stores the largest amounts exactly', async () => {
    const { queries, ...database } = await databases.open()
    const largest = 9_223_372_036_854_775_807n
    await write(
      { queries, ...database },
      inserted('ledger_account', [written('a', largest), written('b', -largest)]),
    )
    expect(await balances(queries)).toEqual([balance('a', largest), balance('b', -largest)])
  })

  it('writes any text and missing values', async () => {
    const database = await databases.open()
    const rows = ['plain', 'it\'s "quoted" \\ {1,2}', '香港 👋 \n\t\r', '\\N\\n', ''].map((name, index) => ({
      name,
      value: `${name}${index}`,
      value_before: null,
      holds_from: null,
    }))
    await write(database, inserted('setting', rows))
    expect(await database.queries.selectFrom('setting').selectAll().execute()).toEqual(
      expect.arrayContaining(rows),
    )
    const named = { demo_hash: null, invite_code: 'A', closed_at: null }
    const user = { ...named, id: 1, is_demo: 1, credit_score: 0, created_at: 1 }
    await write(database, inserted('app_user', [user]))
    expect(await database.queries.selectFrom('app_user').selectAll().execute()).toEqual([
      { ...named, id: 1n, is_demo: 1n, credit_score: 0n, created_at: 1n },
    ])
  })

  it('fails an insert with an existing key and rolls back the transaction', async () => {
    const database = await databases.open()
    await write(database, inserted('ledger_account', [written('a', 1n)]))
    const again = inserted('ledger_account', [written('b', 2n), written('a', 2n)])
    await expect(write(database, again)).rejects.toThrow(/unique/i)
    expect(await balances(database.queries)).toEqual([balance('a', 1n)])
  })

  it('replaces existing rows in an upsert and adds the others', async () => {
    const database = await databases.open()
    await write(database, inserted('ledger_account', [written('a', 1n)]))
    await write(database, upserted('ledger_account', ['id'], [written('a', 5n), written('b', 6n)]))
    expect(await balances(database.queries)).toEqual([balance('a', 5n), balance('b', 6n)])
  })

  it('keeps the columns that an upsert does not name', async () => {
    const database = await databases.open()
    await write(database, inserted('night', [{ rollover: 1, rates: '[1]', terms: 7, ended_at: null }]))
    const ends = [1, 2].map((rollover) => ({ rollover, ended_at: 9 }))
    await write(database, upserted('night', ['rollover'], ends))
    expect(await database.queries.selectFrom('night').selectAll().orderBy('rollover').execute()).toEqual([
      { rollover: 1n, rates: '[1]', terms: 7n, ended_at: 9n },
      { rollover: 2n, rates: '[]', terms: null, ended_at: 9n },
    ])
  })

  it('changes the named columns in an update, and fails without such a row', async () => {
    const database = await databases.open()
    await write(database, inserted('ledger_account', [written('a', 1n), written('b', 2n)]))
    await write(database, updated('ledger_account', ['id'], [{ id: 'b', balance: 7 }]))
    const missing = updated(
      'ledger_account',
      ['id'],
      [
        { id: 'a', balance: 9 },
        { id: 'c', balance: 9 },
      ],
    )
    await expect(write(database, missing)).rejects.toThrow(
      'a row of ledger_account to be changed is not there',
    )
    expect(await balances(database.queries)).toEqual([balance('a', 1n), balance('b', 7n)])
  })

  it('finds active orders by an index of their own', async () => {
    const { queries } = await databases.open()
    const plan = databases.kind === 'sqlite' ? sql`explain query plan` : sql`explain`
    if (databases.kind === 'postgres') await sql`set enable_seqscan = off`.execute(queries)
    const found =
      await sql`${plan} select * from trade_order where status in ('pending', 'holding') and id > 5 order by id`.execute(
        queries,
      )
    expect(found.rows.flatMap((row) => Object.values(row as object)).join()).toContain('trade_order_living')
  })
})
