import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTables } from './new-tables.ts'

/** The names and order of instrument categories. The next start adds those that terms name. */
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
