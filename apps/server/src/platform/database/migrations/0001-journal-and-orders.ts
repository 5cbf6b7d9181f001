import { sql, type CreateTableBuilder, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { DatabaseKind } from '../database.ts'

type Columns = Record<string, 'bigint' | 'text' | 'bigint?' | 'text?'>

/** Money is BIGINT of 1e-6, time epoch ms, JSON text: the same on both databases. The server assigns ids. */
const TABLES: Record<string, { columns: Columns; key: string[] }> = {
  journal: {
    columns: {
      seq: 'bigint',
      at: 'bigint',
      writer: 'text',
      previous_hash: 'text',
      hash: 'text',
      entries: 'text',
    },
    key: ['seq'],
  },
  projection: { columns: { name: 'text', journal_seq: 'bigint' }, key: ['name'] },
  account: { columns: { id: 'bigint', ledger: 'text', opened_at: 'bigint' }, key: ['id'] },
  ledger_account: { columns: { id: 'text', balance: 'bigint', entry_count: 'bigint' }, key: ['id'] },
  transfer: {
    columns: {
      id: 'bigint',
      at: 'bigint',
      debit: 'text',
      credit: 'text',
      amount: 'bigint',
      kind: 'text',
      order_id: 'bigint?',
      account_id: 'bigint?',
      debit_balance: 'bigint',
      debit_entry: 'bigint',
      credit_balance: 'bigint',
      credit_entry: 'bigint',
    },
    key: ['id'],
  },
  trade_order: {
    columns: {
      id: 'bigint',
      parent_id: 'bigint?',
      account_id: 'bigint',
      instrument_id: 'bigint',
      side: 'text',
      kind: 'text',
      status: 'text',
      end_reason: 'text',
      lots: 'bigint',
      leverage: 'bigint',
      target_price: 'bigint?',
      accepted_price: 'bigint',
      open_price: 'bigint?',
      close_price: 'bigint?',
      take_profit: 'bigint?',
      stop_loss: 'bigint?',
      trailing_distance: 'bigint?',
      margin: 'bigint',
      fee: 'bigint',
      profit: 'bigint',
      financed_at: 'bigint',
      expires_at: 'bigint?',
      created_at: 'bigint',
      opened_at: 'bigint?',
      ended_at: 'bigint?',
    },
    key: ['id'],
  },
  receipt: {
    columns: {
      id: 'bigint',
      account_id: 'bigint',
      number: 'bigint',
      order_id: 'bigint',
      at: 'bigint',
      previous_hash: 'text',
      hash: 'text',
      body: 'text',
    },
    key: ['id'],
  },
  engine_fact: { columns: { name: 'text', value: 'text' }, key: ['name'] },
  request: {
    columns: {
      account_id: 'bigint',
      call: 'text',
      request_id: 'text',
      digest: 'text',
      at: 'bigint',
      events: 'text',
    },
    key: ['account_id', 'call', 'request_id'],
  },
  app_user: {
    columns: {
      id: 'bigint',
      is_demo: 'bigint',
      demo_hash: 'text?',
      invite_code: 'text',
      credit_score: 'bigint',
      created_at: 'bigint',
    },
    key: ['id'],
  },
  session: {
    columns: { token_hash: 'text', user_id: 'bigint', created_at: 'bigint', seen_at: 'bigint' },
    key: ['token_hash'],
  },
  category: { columns: { id: 'bigint', name: 'text', sort: 'bigint' }, key: ['id'] },
  instrument: {
    columns: { id: 'bigint', code: 'text', category_id: 'bigint', sort: 'bigint', terms: 'text' },
    key: ['id'],
  },
  setting: { columns: { name: 'text', value: 'text' }, key: ['name'] },
  quote: {
    columns: {
      instrument_id: 'bigint',
      bid: 'bigint',
      ask: 'bigint',
      time: 'bigint',
      received_at: 'bigint',
      seq: 'bigint',
      source: 'text',
    },
    key: ['instrument_id'],
  },
  candle: {
    columns: {
      instrument_id: 'bigint',
      period: 'text',
      time: 'bigint',
      open: 'bigint',
      high: 'bigint',
      low: 'bigint',
      close: 'bigint',
      volume: 'bigint',
    },
    key: ['instrument_id', 'period', 'time'],
  },
}

const INDEXES: { table: string; columns: string[]; isUnique?: boolean }[] = [
  { table: 'transfer', columns: ['account_id', 'id'] },
  { table: 'trade_order', columns: ['account_id', 'status', 'id'] },
  { table: 'receipt', columns: ['order_id'] },
  { table: 'receipt', columns: ['account_id', 'number'], isUnique: true },
  { table: 'request', columns: ['at'] },
  { table: 'app_user', columns: ['demo_hash'], isUnique: true },
  { table: 'app_user', columns: ['invite_code'], isUnique: true },
  { table: 'session', columns: ['user_id'] },
  { table: 'instrument', columns: ['code'], isUnique: true },
]

/** Rows of these tables are never changed or deleted. */
const APPEND_ONLY = ['journal', 'transfer', 'receipt']

export const journalAndOrders = (kind: DatabaseKind): Migration => ({
  async up(db) {
    for (const [name, table] of Object.entries(TABLES)) await createTable(db, name, table)
    for (const { table, columns, isUnique } of INDEXES) {
      const index = db.schema
        .createIndex(`${table}_${columns.join('_')}`)
        .on(table)
        .columns(columns)
      await (isUnique ? index.unique() : index).execute()
    }
    // A start reads the active orders; without this index it would also read all ended ones.
    await sql`create index trade_order_living on trade_order (id) where status in ('pending', 'holding')`.execute(
      db,
    )
    if (kind === 'postgres') await compressJournal(db)
    await (kind === 'sqlite' ? guardSqlite(db) : guardPostgres(db))
  },
})

/** The default compression takes longer than the fsync of a commit; a server built without lz4 stores plain text. */
async function compressJournal(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `do $$ begin
         alter table journal alter column entries set compression lz4;
       exception when feature_not_supported then
         alter table journal alter column entries set storage external;
       end $$`,
    )
    .execute(db)
}

async function createTable(
  db: Kysely<unknown>,
  name: string,
  { columns, key }: { columns: Columns; key: string[] },
): Promise<void> {
  let table: CreateTableBuilder<string, string> = db.schema.createTable(name)
  for (const [column, type] of Object.entries(columns)) {
    const dataType = type.startsWith('bigint') ? 'bigint' : 'text'
    table = table.addColumn(column, dataType, (built) => (type.endsWith('?') ? built : built.notNull()))
  }
  await table.addPrimaryKeyConstraint(`${name}_key`, key).execute()
}

async function guardSqlite(db: Kysely<unknown>): Promise<void> {
  for (const table of APPEND_ONLY) {
    for (const action of ['update', 'delete']) {
      await sql
        .raw(
          `create trigger ${table}_no_${action} before ${action} on ${table}
           begin select raise(abort, '${table} is append-only'); end`,
        )
        .execute(db)
    }
  }
}

async function guardPostgres(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create function refuse_change() returns trigger language plpgsql as
       $$ begin raise exception '% is append-only', tg_table_name; end $$`,
    )
    .execute(db)
  for (const table of APPEND_ONLY) {
    await sql
      .raw(
        `create trigger ${table}_append_only before update or delete or truncate on ${table}
         for each statement execute function refuse_change()`,
      )
      .execute(db)
  }
}
