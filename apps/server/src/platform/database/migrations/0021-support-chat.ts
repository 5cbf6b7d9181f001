import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { DatabaseKind } from '../database.ts'
import { createTables, makeAppendOnly, type Column } from './new-tables.ts'

/** The support chat. */
export const supportChat = (kind: DatabaseKind): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await createTables(db, TABLES)
    for (const [name, table, columns] of INDEXES)
      await db.schema.createIndex(name).on(table).columns(columns).execute()
    await db.schema
      .createIndex('chat_message_request')
      .unique()
      .on('chat_message')
      .columns(['user_id', 'request_id'])
      .execute()
    await makeAppendOnly(db, kind, 'chat_message')
  },
})

const INDEXES: readonly (readonly [name: string, table: string, columns: string[]])[] = [
  ['chat_waiting', 'chat', ['waiting_since']],
  ['chat_mail_due', 'chat', ['mail_due_at']],
  ['chat_message_user', 'chat_message', ['user_id', 'id']],
]

const TABLES: Readonly<Record<string, readonly Column[]>> = {
  chat: [
    ['user_id', 'bigint'],
    ['waiting_since', 'bigint', 'nullable'],
    ['unanswered', 'bigint'],
    ['user_seen_id', 'bigint'],
    ['desk_seen_id', 'bigint'],
    ['mail_due_at', 'bigint', 'nullable'],
  ],
  chat_message: [
    ['id', 'bigint'],
    ['user_id', 'bigint'],
    ['operator_id', 'bigint', 'nullable'],
    ['operator_name', 'text', 'nullable'],
    ['text', 'text'],
    ['picture', 'text', 'nullable'],
    ['sent_at', 'bigint'],
    ['request_id', 'text', 'nullable'],
    ['digest', 'text', 'nullable'],
  ],
  chat_answer: [
    ['message_id', 'bigint'],
    ['waited_ms', 'bigint'],
  ],
}
