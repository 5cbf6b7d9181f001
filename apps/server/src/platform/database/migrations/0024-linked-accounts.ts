import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Indexes that find accounts with a shared browser or network, and transfers of negative-balance protection. */
export const linkedAccounts = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createIndex('known_login_fingerprint')
      .on('known_login')
      .columns(['fingerprint', 'user_id'])
      .execute()
    await db.schema
      .createIndex('user_activity_address')
      .on('user_activity')
      .columns(['address', 'at', 'user_id'])
      .execute()
    await sql`create index transfer_protection on transfer (id) where kind = 'protection'`.execute(db)
  },
})
