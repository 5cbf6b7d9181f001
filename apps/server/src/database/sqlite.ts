import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { CompiledQuery, Kysely, SqliteDialect, type SqliteStatement } from 'kysely'
import { changedColumns, columnsOf, listed, onConflict, quoted, type TableChange } from './bulk.ts'
import type { Database } from './database.ts'
import { textOf } from './scan.ts'
import type { Tables } from './schema.ts'
import { scanStatement } from './sqlite-scan.ts'

/** Statements kept prepared; past this the oldest goes. */
const STATEMENT_CACHE_SIZE = 200

/** A file database through Node's own SQLite: write-ahead log, every commit on disk before it is answered. */
export function openSqlite(dataDir: string, { isReadOnly = false } = {}): Database {
  if (!isReadOnly) mkdirSync(dataDir, { recursive: true })
  const file = new DatabaseSync(join(dataDir, 'fairlot.sqlite'), { readOnly: isReadOnly })
  file.exec('pragma busy_timeout = 5000')
  if (!isReadOnly) file.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
  const prepare = cached((sql) => file.prepare(sql))
  const prepareForKysely = cached((sql) => adapt(prepare(sql)))
  const dialect = new SqliteDialect({ database: { close: () => file.close(), prepare: prepareForKysely } })
  const queries = new Kysely<Tables>({ dialect })
  return {
    kind: 'sqlite',
    queries,
    // A file has one connection: Kysely lets its users in one after the other.
    openLine: () => ({
      queries,
      run: async (statement, values) =>
        void (await queries.executeQuery(CompiledQuery.raw(statement, [...values]))),
      close: () => Promise.resolve(),
    }),
    // The transaction holds that connection, so these statements are part of it.
    writeRows: async (_transaction, change) => writeRows(prepare, change),
    scanRows: (_queries, { query, take }) => scanStatement(file.prepare(textOf(query)), take),
    close: () => queries.destroy(),
  }
}

function cached<Value>(make: (sql: string) => Value): (sql: string) => Value {
  const known = new Map<string, Value>()
  return (sql) => {
    const found = known.get(sql)
    if (found !== undefined) return found
    const made = make(sql)
    const oldest = known.keys().next()
    if (known.size >= STATEMENT_CACHE_SIZE && !oldest.done) known.delete(oldest.value)
    known.set(sql, made)
    return made
  }
}

/** The few methods Kysely's driver asks for. */
function adapt(statement: StatementSync): SqliteStatement {
  statement.setReadBigInts(true)
  const bound = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[]
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...bound(parameters)),
    run: (parameters) => statement.run(...bound(parameters)),
    iterate: (parameters) => statement.iterate(...bound(parameters)) as IterableIterator<unknown>,
  }
}

/** One prepared statement, run once a row: three times as fast as one statement for all. */
function writeRows(prepare: (sql: string) => StatementSync, change: TableChange): void {
  const { columns, text } = change.action === 'update' ? updateStatement(change) : insertStatement(change)
  const statement = prepare(text)
  for (const row of change.rows) {
    const { changes } = statement.run(...columns.map((column) => row[column] ?? null))
    if (Number(changes) !== 1) throw new Error(`a row of ${change.table} to be changed is not there`)
  }
}

type RowStatement = { columns: string[]; text: string }

function insertStatement(change: TableChange): RowStatement {
  const columns = columnsOf(change)
  const places = columns.map(() => '?').join(', ')
  const text = `insert into ${quoted(change.table)} (${listed(columns)}) values (${places})${onConflict(change)}`
  return { columns, text }
}

function updateStatement(change: TableChange): RowStatement {
  const changed = changedColumns(change)
  const sets = changed.map((column) => `${quoted(column)} = ?`).join(', ')
  const isRow = change.key.map((column) => `${quoted(column)} = ?`).join(' and ')
  const text = `update ${quoted(change.table)} set ${sets} where ${isRow}`
  return { columns: [...changed, ...change.key], text }
}
