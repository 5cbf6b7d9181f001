import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTables, type Column } from './new-tables.ts'

/** The news that users have seen, imported news feeds, and an index of invited users. */
export const newsAndInvitations = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await createTables(db, TABLES)
    await db.schema.createIndex('member_invited_by').on('member').columns(['invited_by', 'user_id']).execute()
  },
})

const TABLES: Readonly<Record<string, readonly Column[]>> = {
  news_seen: [
    ['user_id', 'bigint'],
    ['at', 'bigint'],
  ],
  news_feed: [
    ['id', 'bigint'],
    ['address', 'text'],
    ['name', 'text'],
    ['language', 'text'],
    ['category', 'text'],
    ['item_state', 'text'],
    ['is_on', 'bigint'],
    ['version', 'bigint'],
    ['changed_at', 'bigint'],
    ['operator_id', 'bigint'],
    ['asked_at', 'bigint', 'nullable'],
    ['problem', 'text'],
    ['taken', 'bigint'],
  ],
  imported_news: [
    ['key', 'text'],
    ['feed_id', 'bigint'],
    ['item_id', 'bigint'],
    ['at', 'bigint'],
  ],
}
