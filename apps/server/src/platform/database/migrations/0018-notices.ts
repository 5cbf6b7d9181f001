import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTables, type Column } from './new-tables.ts'

/** Notices, users' choices which to receive, and accounts with a margin warning. */
export const notices = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await createTables(db, TABLES)
    for (const [name, columns] of Object.entries(INDEXES))
      await db.schema.createIndex(name).on('notice').columns(columns).execute()
  },
})

const TABLES: Readonly<Record<string, readonly Column[]>> = {
  notice: [
    ['id', 'text'],
    ['user_id', 'bigint'],
    ['at', 'bigint'],
    ['kind', 'text'],
    ['facts', 'text'],
    ['read_at', 'bigint', 'nullable'],
    ['mail', 'text'],
    ['mailed_at', 'bigint', 'nullable'],
  ],
  notice_choice: [
    ['user_id', 'bigint'],
    ['off', 'text'],
  ],
  margin_warned: [
    ['user_id', 'bigint'],
    ['at', 'bigint'],
  ],
}

const INDEXES: Readonly<Record<string, string[]>> = {
  notice_user_at: ['user_id', 'at'],
  notice_mail_at: ['mail', 'at'],
}
