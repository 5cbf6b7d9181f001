import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The request of an approval, so that a repeated request opens no second case; and the count of repeated activities. */
export const requestedOnce = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('approval').addColumn('request_key', 'text').execute()
    await db.schema.alterTable('approval').addColumn('request_digest', 'text').execute()
    await db.schema.createIndex('approval_request').on('approval').column('request_key').unique().execute()
    await db.schema
      .alterTable('user_activity')
      .addColumn('times', 'bigint', (column) => column.notNull().defaultTo(1))
      .execute()
  },
})
