import { describe, expect, it } from 'vitest'
import type { Queries } from '../platform/database/open.ts'
import { everyDatabase } from '../testing/on-every-database.ts'
import { differenceWith, tradedDatabase } from './test-kit.ts'

/** Each row is verified separately. */
const TIMEOUT_MS = 120_000

/** Inserts the last row of a table duplicateOf, under the next id. */
const duplicateOf =
  (table: 'account' | 'trade_order' | 'transfer' | 'operator_act') => async (queries: Queries) => {
    const row = await queries.selectFrom(table).selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
    await queries
      .insertInto(table)
      .values({ ...row, id: row.id + 1n } as never)
      .execute()
  }

const inventedReceipt = async (queries: Queries) => {
  const row = await queries.selectFrom('receipt').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
  await queries
    .insertInto('receipt')
    .values({ ...row, id: row.id + 1n, number: row.number + 1n })
    .execute()
}

/** A deposit of a million that is not in the journal. */
const inventedCase = (queries: Queries) =>
  queries
    .insertInto('money_case')
    .values({
      id: 1n,
      kind: 'deposit',
      account_id: 1n,
      amount: 1_000_000_000_000n,
      fee: 0n,
      status: 'finished',
      credited: 1_000_000_000_000n,
      opened_at: 1n,
      asked_by: null,
      asked_reason: '',
      ended_at: 2n,
      ended_by: 1n,
      ended_reason: 'arrived',
    })
    .execute()

const inventedTerms = async (queries: Queries) => {
  const row = await queries
    .selectFrom('terms_change')
    .selectAll()
    .orderBy('change_id', 'desc')
    .executeTakeFirstOrThrow()
  await queries
    .insertInto('terms_change')
    .values({ ...row, change_id: row.change_id + 1n, version: null })
    .execute()
}

const inventedSnapshotPrice = async (queries: Queries) => {
  const row = await queries.selectFrom('price_mark').selectAll().executeTakeFirstOrThrow()
  await queries
    .insertInto('price_mark')
    .values({ ...row, instrument_id: 999n })
    .execute()
}

const INVENTED: readonly (readonly [string, (queries: Queries) => Promise<unknown>])[] = [
  ['an account', duplicateOf('account')],
  ['an order', duplicateOf('trade_order')],
  ['a receipt', inventedReceipt],
  ['a transfer', duplicateOf('transfer')],
  ['a money case', inventedCase],
  ['an action of an operator', duplicateOf('operator_act')],
  ['a change of terms', inventedTerms],
  ['a snapshot price', inventedSnapshotPrice],
]

describe.each(everyDatabase)('verify of rows that are not in the journal, $kind', (databases) => {
  it('finds each of them', { timeout: TIMEOUT_MS }, async () => {
    const database = await databases.open()
    await tradedDatabase(database)
    expect(await differenceWith(database, () => Promise.resolve())).toBeNull()
    const unseen: string[] = []
    for (const [name, invent] of INVENTED) {
      const difference = await differenceWith(database, invent)
      if (difference === null) unseen.push(name)
    }
    expect(unseen).toEqual([])
    expect(await differenceWith(database, inventedCase)).toBe('case 1 is not in the journal')
  })
})
