import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { onEveryDatabase } from '../../../testing/on-every-database.ts'
import { transactionKeys } from './0058-transaction-keys.ts'

onEveryDatabase('the keys of transaction numbers', ({ open }) => {
  test('are written for deposits and withdrawals from before', async () => {
    const { queries } = await open()
    const deposit = {
      kind: 'coin',
      channel_id: 1n,
      currency_code: 'USDT',
      protocol_code: 'TRC20',
      told_at: 1n,
    }
    const texts = { address: '', tag: '', shown_address: '', proof: '', proof_hash: '' }
    const earlier = ['', '0xAB12', 'https://etherscan.io/tx/0xab12', 'TX 77']
    for (const [index, reference] of earlier.entries())
      await queries
        .insertInto('deposit')
        .values({
          ...deposit,
          ...texts,
          case_id: BigInt(index + 1),
          user_id: 1n,
          reference,
          reference_key: '',
        })
        .execute()
    // As it was before the migration.
    for (const [table, index] of [
      ['deposit', 'deposit_reference'],
      ['withdrawal', 'withdrawal_reference_lower'],
    ] as const) {
      await queries.schema.dropIndex(`${table}_reference_key`).execute()
      await queries.schema.alterTable(table).dropColumn('reference_key').execute()
      await sql.raw(`create index ${index} on ${table} (lower(reference))`).execute(queries)
    }
    await transactionKeys().up(queries)
    const rows = await queries
      .selectFrom('deposit')
      .select(['reference', 'reference_key'])
      .orderBy('case_id')
      .execute()
    expect(rows.map((row) => row.reference_key)).toEqual(['', 'ab12', 'ab12', '77'])
    expect(rows.map((row) => row.reference)).toEqual(earlier)
  })
})
