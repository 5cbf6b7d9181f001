import { sql, type CreateTableBuilder, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

type Columns = Record<string, 'bigint' | 'text' | 'bigint?' | 'text?'>

const TABLES: Record<string, { columns: Columns; key: string[] }> = {
  member: {
    columns: {
      user_id: 'bigint',
      email: 'text?',
      email_key: 'text?',
      phone: 'text?',
      calling_code: 'text?',
      national_number: 'text?',
      area: 'text',
      language: 'text',
      password_hash: 'text',
      invited_by: 'bigint?',
    },
    key: ['user_id'],
  },
  consent: {
    columns: { user_id: 'bigint', version: 'text', language: 'text', address: 'text', at: 'bigint' },
    key: ['user_id', 'version'],
  },
  verification_code: {
    columns: { target: 'text', purpose: 'text', code_hash: 'text', sent_at: 'bigint', tries: 'bigint' },
    key: ['target', 'purpose'],
  },
  second_factor: {
    columns: { user_id: 'bigint', secret: 'text', confirmed_at: 'bigint?', last_step: 'bigint' },
    key: ['user_id'],
  },
  recovery_code: { columns: { code_hash: 'text', user_id: 'bigint' }, key: ['code_hash'] },
  known_login: {
    columns: { user_id: 'bigint', fingerprint: 'text', at: 'bigint' },
    key: ['user_id', 'fingerprint'],
  },
  outbox: {
    columns: {
      id: 'text',
      channel: 'text',
      recipient: 'text',
      subject: 'text',
      body: 'text',
      created_at: 'bigint',
      expires_at: 'bigint',
      state: 'text',
      tries: 'bigint',
      next_try_at: 'bigint',
      error: 'text?',
    },
    key: ['id'],
  },
}

/** No two users share an e-mail address or a phone number; a unique index allows many nulls. */
const INDEXES: readonly [name: string, table: string, columns: string[], isUnique: boolean][] = [
  ['member_email', 'member', ['email_key'], true],
  ['member_phone', 'member', ['phone'], true],
  ['member_number', 'member', ['national_number'], false],
  ['recovery_code_user', 'recovery_code', ['user_id'], false],
  ['outbox_due', 'outbox', ['state', 'next_try_at'], false],
]

/** Tables of real accounts. They hold personal data, so rows are changed and deleted. */
export const accounts = (): Migration => ({
  up: async (db: Kysely<unknown>) => {
    for (const [name, { columns, key }] of Object.entries(TABLES)) {
      let table: CreateTableBuilder<string, string> = db.schema.createTable(name)
      for (const [column, type] of Object.entries(columns)) {
        const dataType = type.startsWith('bigint') ? 'bigint' : 'text'
        table = table.addColumn(column, dataType, (built) => (type.endsWith('?') ? built : built.notNull()))
      }
      await table.addPrimaryKeyConstraint(`${name}_key`, key).execute()
    }
    for (const [name, table, columns, isUnique] of INDEXES) {
      const index = db.schema.createIndex(name).on(table).columns(columns)
      await (isUnique ? index.unique() : index).execute()
    }
    for (const column of ['device', 'address'])
      await db.schema
        .alterTable('session')
        .addColumn(column, 'text', (built) => built.notNull().defaultTo(sql.lit('')))
        .execute()
  },
})
