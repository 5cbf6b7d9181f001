import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTables } from './new-tables.ts'

/** The passkeys of users and operators. */
export const passkeys = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await createTables(db, {
      passkey: [
        ['id', 'text'],
        ['user_id', 'bigint', 'nullable'],
        ['operator_id', 'bigint', 'nullable'],
        ['domain', 'text'],
        ['name', 'text'],
        ['public_key', 'text'],
        ['counter', 'bigint'],
        ['transports', 'text'],
        ['is_synced', 'bigint'],
        ['created_at', 'bigint'],
        ['used_at', 'bigint', 'nullable'],
      ],
    })
    await db.schema.createIndex('passkey_user').on('passkey').column('user_id').execute()
    await db.schema.createIndex('passkey_operator').on('passkey').column('operator_id').execute()
  },
})
