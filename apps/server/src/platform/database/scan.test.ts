import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { everyDatabase } from '../../testing/on-every-database.ts'
import type { Reading } from './open.ts'
import type { Cells } from './scan.ts'

const GREATEST = 2n ** 63n - 1n

const facts = async (database: Reading, ...rows: readonly (readonly [string, string])[]) => {
  for (const [name, value] of rows) {
    await database.queries.insertInto('engine_fact').values({ name, value }).execute()
  }
}
const balances = async ({ queries }: Reading, ...rows: readonly (readonly [string, bigint, bigint])[]) => {
  for (const [id, balance, entry_count] of rows) {
    await queries.insertInto('ledger_account').values({ id, balance, entry_count }).execute()
  }
}

/** The results of `take` for each row. */
async function taken<Row>(
  { queries, scanRows }: Reading,
  query: Parameters<Reading['scanRows']>[1]['query'],
  take: (row: Cells) => Row,
): Promise<Row[]> {
  const rows: Row[] = []
  await scanRows(queries, { query, take: (row) => rows.push(take(row)) })
  return rows
}

const balancesById = ({ queries }: Reading) =>
  queries.selectFrom('ledger_account').select(['id', 'balance', 'entry_count']).orderBy('id')
const factsByName = ({ queries }: Reading) =>
  queries.selectFrom('engine_fact').select(['name', 'value']).orderBy('name')

describe.each(everyDatabase)('a scan of rows, $kind', (databases) => {
  it('reads cells in the order of the columns, exactly', async () => {
    const database = await databases.open()
    await balances(database, ['a', GREATEST, 2n ** 53n - 1n], ['b', -GREATEST, 0n], ['c', -5n, 7n])
    const cells = (row: Cells) => [row.text(), row.bigint(), row.number()]
    expect(await taken(database, balancesById(database), cells)).toEqual([
      ['a', GREATEST, 2 ** 53 - 1],
      ['b', -GREATEST, 0],
      ['c', -5n, 7],
    ])
  })

  it('reads any text', async () => {
    const database = await databases.open()
    await facts(database, ['é\t"\\', ''], ['名', '\n'])
    const cells = (row: Cells) => [row.text(), row.text()]
    const rows = await taken(database, factsByName(database), cells)
    expect(new Map(rows as [string, string][])).toEqual(
      new Map([
        ['é\t"\\', ''],
        ['名', '\n'],
      ]),
    )
  })

  it('distinguishes null from zero, and throws on an unexpected null', async () => {
    const database = await databases.open()
    await balances(database, ['a', 0n, 0n])
    const query = database.queries
      .selectFrom('ledger_account')
      .select([sql`cast(null as bigint)`.as('nothing'), 'balance'])
    expect(await taken(database, query, (row) => [row.numberOrNull(), row.numberOrNull()])).toEqual([
      [null, 0],
    ])
    for (const cell of ['number', 'bigint', 'text'] as const)
      await expect(taken(database, query, (row) => row[cell]())).rejects.toThrow(RangeError)
  })

  it('reads enum values, and throws on any other text', async () => {
    const database = await databases.open()
    await facts(database, ['side', 'sell'])
    const read = (values: readonly string[]) =>
      taken(database, factsByName(database), (row) => [row.text(), row.oneOf(values)])
    expect(await read(['buy', 'self', 'sell'])).toEqual([['side', 'sell']])
    await expect(read(['buy', 'sel', 'sells'])).rejects.toThrow('a cell is none of buy, sel, sells')
  })

  it('reads no rows and many rows', async () => {
    const database = await databases.open()
    const names = Array.from({ length: 12_000 }, (_, index) => String(100_000 + index))
    expect(await taken(database, factsByName(database), (row) => row.text())).toEqual([])
    await database.queries.transaction().execute((transaction) =>
      database.writeRows(transaction, {
        table: 'engine_fact',
        action: 'insert',
        key: [],
        rows: names.map((name) => ({ name, value: 'x'.repeat(40) })),
      }),
    )
    expect(await taken(database, factsByName(database), (row) => row.text())).toEqual(names)
  })

  it('sees the changes of its transaction', async () => {
    const database = await databases.open()
    await database.queries.transaction().execute(async (queries) => {
      const within = { ...database, queries }
      await facts(within, ['mine', '1'])
      expect(await taken(within, factsByName(within), (row) => row.text())).toEqual(['mine'])
    })
  })

  it('ends with an error of the callback, and the connection stays usable', async () => {
    const database = await databases.open()
    await facts(database, ['a', '1'], ['b', '2'], ['c', '3'])
    await database.queries.transaction().execute(async (queries) => {
      const within = { ...database, queries }
      const seen: string[] = []
      const stumble = (row: Cells) => {
        seen.push(row.text())
        if (seen.length === 2) throw new Error('no further')
      }
      await expect(taken(within, factsByName(within), stumble)).rejects.toThrow('no further')
      expect(seen).toEqual(['a', 'b'])
      expect(await taken(within, factsByName(within), (row) => row.text())).toEqual(['a', 'b', 'c'])
    })
  })

  it('rejects a query with parameters', async () => {
    const database = await databases.open()
    const query = factsByName(database).where('name', '=', 'a')
    await expect(taken(database, query, (row) => row.text())).rejects.toThrow('without parameters')
  })
})
