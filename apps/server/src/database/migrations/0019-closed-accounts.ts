import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** When the person behind an account was forgotten, after its owner had closed it. */
export const closedAccounts = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('app_user').addColumn('closed_at', 'bigint').execute()
    // What closing looks for when it masks messages, and what a copy of one's data lists.
    await db.schema
      .createIndex('outbox_recipient')
      .on('outbox')
      .columns(['recipient', 'created_at'])
      .execute()
    await db.schema.createIndex('stored_file_user').on('stored_file').columns(['user_id']).execute()
  },
})
