import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { DatabaseKind } from '../database.ts'
import { createTables, makeAppendOnly, type Column } from './new-tables.ts'

/** Content, legal texts, companies and payment methods; the outbox keeps the text of messages. */
export const content = (kind: DatabaseKind): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await createTables(db, TABLES)
    for (const table of ['content_text', 'legal_version', 'legal_text']) await makeAppendOnly(db, kind, table)
    for (const [name, table, columns] of INDEXES)
      await db.schema.createIndex(name).on(table).columns(columns).execute()
    await db.schema
      .createIndex('legal_name')
      .on('legal_version')
      .columns(['document', 'version'])
      .unique()
      .execute()
    await addMessageTexts(db)
  },
})

/** The texts of messages of an older version are not known. */
async function addMessageTexts(db: Kysely<unknown>): Promise<void> {
  for (const column of ['name', 'shown'])
    await db.schema
      .alterTable('outbox')
      .addColumn(column, 'text', (built) => built.notNull().defaultTo(''))
      .execute()
  // Existing messages may contain a code.
  await db.schema
    .alterTable('outbox')
    .addColumn('has_secret', 'bigint', (built) => built.notNull().defaultTo(1))
    .execute()
  await db.schema.alterTable('outbox').addColumn('sent_at', 'bigint').execute()
  await db.schema.alterTable('outbox').addColumn('again_of', 'text').execute()
}

const INDEXES: readonly (readonly [name: string, table: string, columns: string[]])[] = [
  ['content_item_shown', 'content_item', ['kind', 'state', 'publish_at']],
  ['content_text_item', 'content_text', ['item_id', 'language', 'version']],
  ['legal_text_version', 'legal_text', ['version_id']],
  ['company_name', 'company', ['name_key']],
  ['outbox_created', 'outbox', ['created_at']],
]

const SWITCHED: readonly Column[] = [
  ['is_on', 'bigint'],
  ['version', 'bigint'],
  ['changed_at', 'bigint'],
]

const TABLES: Readonly<Record<string, readonly Column[]>> = {
  content_item: [
    ['id', 'bigint'],
    ['kind', 'text'],
    ['category', 'text'],
    ['state', 'text'],
    ['publish_at', 'bigint', 'nullable'],
    ['is_pinned', 'bigint'],
    ['picture', 'text', 'nullable'],
    ['version', 'bigint'],
    ['changed_at', 'bigint'],
    ['changed_by', 'text'],
  ],
  content_text: [
    ['id', 'bigint'],
    ['item_id', 'bigint'],
    ['version', 'bigint'],
    ['language', 'text'],
    ['title', 'text'],
    ['summary', 'text'],
    ['body', 'text'],
    ['author', 'text'],
    ['at', 'bigint'],
  ],
  legal_version: [
    ['id', 'bigint'],
    ['document', 'text'],
    ['version', 'text'],
    ['effective_at', 'bigint'],
    ['written_at', 'bigint'],
    ['written_by', 'text'],
    ['reason', 'text'],
  ],
  legal_text: [
    ['id', 'bigint'],
    ['version_id', 'bigint'],
    ['language', 'text'],
    ['body', 'text'],
  ],
  company: [
    ['id', 'bigint'],
    ['name', 'text'],
    ['name_key', 'text'],
    ['subject', 'text'],
    ['logo', 'text'],
    ['url', 'text'],
    ['registered_address', 'text'],
    ['location', 'text'],
    ['email', 'text'],
    ['loss_url', 'text'],
    ...SWITCHED,
  ],
  deposit_channel: [
    ['id', 'bigint'],
    ['currency_code', 'text'],
    ['protocol_code', 'text'],
    ['address', 'text'],
    ['day_limit', 'bigint', 'nullable'],
    ...SWITCHED,
  ],
  wire_account: [
    ['id', 'bigint'],
    ['currency_code', 'text'],
    ['bank_name', 'text'],
    ['bank_address', 'text'],
    ['bank_swift', 'text'],
    ['payee_name', 'text'],
    ['payee_account', 'text'],
    ['bank_remark', 'text'],
    ['day_limit', 'bigint', 'nullable'],
    ...SWITCHED,
  ],
  withdrawal_currency: [
    ['id', 'bigint'],
    ['code', 'text'],
    ['protocol', 'text'],
    ['kind', 'text'],
    ['fee_type', 'text'],
    ['fee', 'bigint'],
    ['usd_price', 'text'],
    ['minimum', 'bigint'],
    ['maximum', 'bigint', 'nullable'],
    ...SWITCHED,
  ],
}
