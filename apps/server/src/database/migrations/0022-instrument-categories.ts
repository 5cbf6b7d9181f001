import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTables } from './new-tables.ts'

/** How the categories of instruments are called, and their order. Those that terms name are put in at the next start. */
export const instrumentCategories = (): Migration => ({
  up: (db: Kysely<unknown>) =>
    createTables(db, {
      instrument_category: [
        ['id', 'bigint'],
        ['code', 'text'],
        ['names', 'text', 'nullable'],
        ['place', 'bigint'],
        ['version', 'bigint'],
      ],
    }),
})
