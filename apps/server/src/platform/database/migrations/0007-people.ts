import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { DatabaseKind } from '../database.ts'
import { createTables, makeAppendOnly, type Column } from './new-tables.ts'

/** Operators' notes about users, users' activity, and indexes for searching users. */
export const people = (kind: DatabaseKind): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await createTables(db, TABLES)
    await makeAppendOnly(db, kind, 'person_note')
    for (const [table, columns] of INDEXES)
      await db.schema
        .createIndex(`${table}_${columns.join('_')}`)
        .on(table)
        .columns(columns)
        .execute()
    // Indexes with the collation of a language cannot be used to search by prefix.
    if (kind === 'postgres')
      for (const column of ['email_key', 'phone', 'national_number'])
        await sql
          .raw(`create index member_${column}_beginning on member (${column} text_pattern_ops)`)
          .execute(db)
  },
})

const TABLES: Readonly<Record<string, readonly Column[]>> = {
  person_note: [
    ['id', 'bigint'],
    ['account_id', 'bigint'],
    ['at', 'bigint'],
    ['operator_id', 'bigint'],
    ['operator_name', 'text'],
    ['role', 'text'],
    ['text', 'text'],
  ],
  user_activity: [
    ['id', 'text'],
    ['user_id', 'bigint'],
    ['at', 'bigint'],
    ['kind', 'text'],
    ['device', 'text'],
    ['address', 'text'],
  ],
}

const INDEXES: readonly [table: string, columns: string[]][] = [
  ['person_note', ['account_id', 'id']],
  ['user_activity', ['user_id', 'at']],
]
