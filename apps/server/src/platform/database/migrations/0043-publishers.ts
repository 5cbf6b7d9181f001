import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTables } from './new-tables.ts'

/** Which demo accounts belong to which registered user, and which users work for the broker. */
export const publishers = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await createTables(db, {
      demo_owner: [
        ['demo_id', 'bigint'],
        ['user_id', 'bigint'],
      ],
      staff_user: [['user_id', 'bigint']],
    })
    await db.schema.createIndex('demo_owner_user').on('demo_owner').columns(['user_id']).execute()
  },
})
