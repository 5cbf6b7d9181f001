import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTables } from './new-tables.ts'

/** Settings with an announced change, and the changes of payment methods that are shown to users. */
export const announcedPayments = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    for (const [column, type] of [
      ['value_before', 'text'],
      ['holds_from', 'bigint'],
    ] as const)
      await db.schema.alterTable('setting').addColumn(column, type).execute()
    await createTables(db, {
      payment_change: [
        ['id', 'bigint'],
        ['subject', 'text'],
        ['about', 'text'],
        ['fields', 'text'],
        ['reason', 'text'],
        ['at', 'bigint'],
        ['effective_at', 'bigint'],
      ],
    })
  },
})
