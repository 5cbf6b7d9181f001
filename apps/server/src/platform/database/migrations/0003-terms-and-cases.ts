import { sql, type CreateTableBuilder, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { DatabaseKind } from '../database.ts'

/** `?`: nullable; `[]`: an empty list by default. */
type Columns = Record<string, 'bigint' | 'text' | 'bigint?' | 'text?' | 'text[]'>

const TABLES: Record<string, { columns: Columns; key: string[] }> = {
  terms_change: {
    columns: {
      change_id: 'bigint',
      kind: 'text',
      subject: 'text',
      at: 'bigint',
      effective_at: 'bigint',
      in_effect_at: 'bigint?',
      version: 'bigint?',
      withdrawn_at: 'bigint?',
      author: 'text',
      reason: 'text',
      body: 'text',
    },
    key: ['change_id'],
  },
  money_case: {
    columns: {
      id: 'bigint',
      kind: 'text',
      account_id: 'bigint',
      amount: 'bigint',
      fee: 'bigint',
      status: 'text',
      credited: 'bigint',
      opened_at: 'bigint',
      asked_by: 'bigint?',
      asked_reason: 'text',
      ended_at: 'bigint?',
      ended_by: 'bigint?',
      ended_reason: 'text',
    },
    key: ['id'],
  },
  price_moment: { columns: { moment: 'bigint', told_at: 'bigint' }, key: ['moment'] },
  price_mark: {
    columns: {
      moment: 'bigint',
      instrument_id: 'bigint',
      bid: 'bigint',
      ask: 'bigint',
      seq: 'bigint',
      time: 'bigint',
      received_at: 'bigint',
      source: 'text',
    },
    key: ['moment', 'instrument_id'],
  },
  night: {
    columns: { rollover: 'bigint', rates: 'text[]', terms: 'bigint?', ended_at: 'bigint?' },
    key: ['rollover'],
  },
  operator_act: {
    columns: {
      id: 'bigint',
      journal_seq: 'bigint',
      at: 'bigint',
      operator_id: 'bigint',
      role: 'text',
      reason: 'text',
      second_id: 'bigint?',
      second_role: 'text?',
      account_id: 'bigint?',
      event: 'text',
    },
    key: ['id'],
  },
}

/** New columns, with the value for existing rows; null for a nullable column. */
const ADDED: readonly [
  table: string,
  column: string,
  type: 'bigint' | 'text',
  before: string | number | null,
][] = [
  ['account', 'status', 'text', 'active'],
  ['account', 'status_reason', 'text', ''],
  ['transfer', 'case_id', 'bigint', null],
  ['request', 'journal_seq', 'bigint', 0],
]

/** Above every journal row. */
const MAX_SEQ = 2n ** 62n

const INDEXES: readonly [table: string, columns: string[]][] = [
  ['terms_change', ['kind', 'subject', 'version']],
  ['money_case', ['account_id', 'id']],
  ['operator_act', ['account_id', 'id']],
]

/** Rows of these tables are never changed or deleted, like those of the journal. */
const APPEND_ONLY = ['price_mark', 'operator_act']

/** Tables for the second version of the journal: terms, money cases, price snapshots and actions of operators. */
export const termsAndCases = (kind: DatabaseKind): Migration => ({
  up: async (db: Kysely<unknown>) => {
    for (const [name, table] of Object.entries(TABLES)) await createTable(db, name, table)
    for (const [table, column, type, before] of ADDED) {
      await db.schema
        .alterTable(table)
        .addColumn(column, type, (built) =>
          before === null ? built : built.notNull().defaultTo(sql.lit(before)),
        )
        .execute()
    }
    for (const [table, columns] of INDEXES)
      await db.schema
        .createIndex(`${table}_${columns.join('_')}`)
        .on(table)
        .columns(columns)
        .execute()
    await findRequests(db)
    // A start reads the open cases only.
    await sql.raw(`create index money_case_open on money_case (id) where status = 'open'`).execute(db)
    for (const table of APPEND_ONLY) await guard(db, kind, table)
  },
})

async function createTable(
  db: Kysely<unknown>,
  name: string,
  { columns, key }: { columns: Columns; key: string[] },
): Promise<void> {
  let table: CreateTableBuilder<string, string> = db.schema.createTable(name)
  for (const [column, type] of Object.entries(columns)) {
    const dataType = type.startsWith('bigint') ? 'bigint' : 'text'
    table = table.addColumn(column, dataType, (built) => {
      if (type.endsWith('?')) return built
      return type.endsWith('[]') ? built.notNull().defaultTo(sql.lit('[]')) : built.notNull()
    })
  }
  await table.addPrimaryKeyConstraint(`${name}_key`, key).execute()
}

type OldEntry = {
  at: number
  request: { accountId: number; call: string; id: string } | null
}

/** The journal has the result of each request: stores the journal row, and drops the copy of the result. */
async function findRequests(db: Kysely<unknown>): Promise<void> {
  const { rows: oldest } = await sql<{ at: bigint | null }>`select min(at) as at from request`.execute(db)
  const since = oldest[0]?.at ?? null
  for (let before: bigint | null = since === null ? null : MAX_SEQ; since !== null && before !== null;) {
    const { rows } = await sql<{ seq: bigint; entries: string }>`
      select seq, entries from journal where seq < ${before} and at >= ${since} order by seq desc limit 50
    `.execute(db)
    for (const { seq, entries } of rows)
      for (const { at, request } of JSON.parse(entries) as OldEntry[])
        if (request)
          await sql`
            update request set journal_seq = ${seq} where account_id = ${BigInt(request.accountId)}
              and call = ${request.call} and request_id = ${request.id} and at = ${BigInt(at)}
          `.execute(db)
    before = rows.at(-1)?.seq ?? null
  }
  await db.schema.alterTable('request').dropColumn('events').execute()
}

async function guard(db: Kysely<unknown>, kind: DatabaseKind, table: string): Promise<void> {
  if (kind === 'postgres') {
    await sql
      .raw(
        `create trigger ${table}_append_only before update or delete or truncate on ${table}
         for each statement execute function refuse_change()`,
      )
      .execute(db)
    return
  }
  for (const action of ['update', 'delete']) {
    await sql
      .raw(
        `create trigger ${table}_no_${action} before ${action} on ${table}
         begin select raise(abort, '${table} is append-only'); end`,
      )
      .execute(db)
  }
}
