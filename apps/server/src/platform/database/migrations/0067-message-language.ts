import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The language of a mail, for programs that read or show it; empty for those of an older version, and for pushes. */
export const messageLanguage = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .alterTable('outbox')
      .addColumn('language', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
  },
})
