import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTables, type Column } from './new-tables.ts'

/**
 * Transfer references, which find duplicate reports, daily limits per user, and drafts of requests that the engine has not
 * answered yet.
 */
export const moneyAtTheDesk = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .alterTable('deposit')
      .addColumn('reference', 'text', (built) => built.notNull().defaultTo(''))
      .execute()
    for (const table of ['deposit_channel', 'wire_account', 'withdrawal_currency'])
      await db.schema.alterTable(table).addColumn('person_day_limit', 'bigint').execute()
    await createTables(db, { payment_draft: DRAFT })
    for (const [name, on] of INDEXES) await sql.raw(`create index ${name} on ${on}`).execute(db)
  },
})

const DRAFT: readonly Column[] = [
  ['id', 'text'],
  ['kind', 'text'],
  ['body', 'text'],
  ['drafted_at', 'bigint'],
]

/** Indexes of the quarters of a perceptual hash: two hashes that differ in at most three bits share one. */
const INDEXES: readonly (readonly [name: string, on: string])[] = [
  ...[1, 5, 9, 13].map(
    (from) => [`stored_file_look_${from}`, `stored_file (substr(look, ${from}, 4))`] as const,
  ),
  ['deposit_reference', 'deposit (lower(reference))'],
  ['withdrawal_reference_lower', 'withdrawal (lower(reference))'],
  ['deposit_person_day', 'deposit (user_id, told_at)'],
  ['withdrawal_person_day', 'withdrawal (user_id, currency_id, asked_at)'],
]
