import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTables } from './new-tables.ts'

/** Users' alerts on prices and on their margin level. */
export const alerts = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await createTables(db, {
      alert: [
        ['id', 'bigint'],
        ['account_id', 'bigint'],
        ['condition', 'text'],
        ['pause_ms', 'bigint', 'nullable'],
        ['set_at', 'bigint'],
        ['state', 'text'],
        ['wakes_at', 'bigint'],
        ['fired_at', 'bigint', 'nullable'],
        ['firing', 'text', 'nullable'],
      ],
    })
    await db.schema.createIndex('alert_account').on('alert').columns(['account_id', 'id']).execute()
    await sql`create index alert_waiting on alert (id) where state = 'waiting'`.execute(db)
  },
})
