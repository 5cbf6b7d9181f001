import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The user that each account belongs to. So far every account was a user's own. */
export const accountOwners = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .alterTable('account')
      .addColumn('owner_id', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await sql`update account set owner_id = id`.execute(db)
    await db.schema.createIndex('account_owner').on('account').columns(['owner_id', 'id']).execute()
  },
})
