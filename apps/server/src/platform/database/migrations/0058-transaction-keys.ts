import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { transactionKey } from '../transaction-number.ts'

type Reference = { case_id: bigint; reference: string; reference_key: string }
type Tables = { deposit: Reference; withdrawal: Reference }

/** Rows in one step. */
const STEP = 1_000

/** The keys by which transaction numbers are compared, also of earlier deposits and withdrawals. */
export const transactionKeys = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    for (const [table, oldIndex] of [
      ['deposit', 'deposit_reference'],
      ['withdrawal', 'withdrawal_reference_lower'],
    ] as const) {
      await db.schema
        .alterTable(table)
        .addColumn('reference_key', 'text', (column) => column.notNull().defaultTo(''))
        .execute()
      await writeKeys(db as Kysely<Tables>, table)
      await db.schema.createIndex(`${table}_reference_key`).on(table).column('reference_key').execute()
      await db.schema.dropIndex(oldIndex).execute()
    }
  },
})

async function writeKeys(db: Kysely<Tables>, table: keyof Tables): Promise<void> {
  for (let after = 0n; ;) {
    const rows = await db
      .selectFrom(table)
      .select(['case_id', 'reference'])
      .where('case_id', '>', after)
      .where('reference', '!=', '')
      .orderBy('case_id')
      .limit(STEP)
      .execute()
    for (const { case_id: id, reference } of rows)
      await db
        .updateTable(table)
        .set({ reference_key: transactionKey(reference) })
        .where('case_id', '=', id)
        .execute()
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.case_id
  }
}
