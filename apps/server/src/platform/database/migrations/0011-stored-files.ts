import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTables, type Column } from './new-tables.ts'

/** Files uploaded by users and operators; their bytes are stored elsewhere. */
export const storedFiles = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await createTables(db, { stored_file: COLUMNS })
    for (const [name, columns] of INDEXES)
      await db.schema
        .createIndex(name)
        .on('stored_file')
        .columns([...columns])
        .execute()
  },
})

const COLUMNS: readonly Column[] = [
  ['key', 'text'],
  ['user_id', 'bigint', 'nullable'],
  ['operator_id', 'bigint', 'nullable'],
  ['kind', 'text'],
  ['content_type', 'text'],
  ['bytes', 'bigint'],
  ['width', 'bigint'],
  ['height', 'bigint'],
  ['sha256', 'text'],
  ['original_sha256', 'text'],
  ['look', 'text'],
  ['created_at', 'bigint'],
  ['used_by', 'text', 'nullable'],
]

const INDEXES = [
  ['stored_file_original', ['original_sha256']],
  ['stored_file_look', ['look']],
  ['stored_file_unused', ['used_by', 'created_at']],
] as const
