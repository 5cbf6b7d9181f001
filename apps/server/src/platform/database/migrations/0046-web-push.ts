import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTables } from './new-tables.ts'

/** Browsers that notices are pushed to, and the key of this deployment for their push services. */
export const pushTables = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await createTables(db, {
      push_subscription: [
        ['id', 'text'],
        ['user_id', 'bigint'],
        ['session', 'text'],
        ['endpoint', 'text'],
        ['p256dh', 'text'],
        ['auth', 'text'],
        ['language', 'text'],
        ['device', 'text'],
        ['created_at', 'bigint'],
      ],
      push_key: [
        ['id', 'bigint'],
        ['public_key', 'text'],
        ['private_key', 'text'],
        ['created_at', 'bigint'],
      ],
    })
    await db.schema
      .createIndex('push_subscription_endpoint')
      .unique()
      .on('push_subscription')
      .column('endpoint')
      .execute()
    await db.schema
      .createIndex('push_subscription_user')
      .on('push_subscription')
      .columns(['user_id', 'created_at'])
      .execute()
  },
})
