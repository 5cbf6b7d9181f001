import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** When the personal data of a closed account was deleted. */
export const closedAccounts = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('app_user').addColumn('closed_at', 'bigint').execute()
    // For masking the messages of a closed account, and for a user's copy of the own data.
    await db.schema
      .createIndex('outbox_recipient')
      .on('outbox')
      .columns(['recipient', 'created_at'])
      .execute()
    await db.schema.createIndex('stored_file_user').on('stored_file').columns(['user_id']).execute()
  },
})
