import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { keepOwnerOnly, makeOwnerOnly, OWNER_ONLY_FOLDER } from './owner-only.ts'
import type { Database, TakeLock } from './database.ts'
import { setImmediate as yieldToLoop } from 'node:timers/promises'
import { type CellValue, type Scan, textOf, ValueCells } from './scan.ts'
import { CompiledQuery, Kysely, SqliteDialect, type SqliteStatement } from 'kysely'
import { changedColumns, columnsOf, listed, onConflict, quoted, type TableChange } from './bulk.ts'
import type { Tables } from './schema.ts'

const BUSY = 5

/**
 * Locks a separate file beside the database with an exclusive transaction that never ends. The system releases it with the
 * process, and it does not block readers of the database.
 */
export const lockFolder =
  (dataDir: string): TakeLock =>
  async () => {
    mkdirSync(dataDir, { recursive: true, mode: OWNER_ONLY_FOLDER })
    const path = join(dataDir, 'fairlot.lock')
    makeOwnerOnly(path)
    const file = new DatabaseSync(path)
    try {
      file.exec('begin exclusive')
    } catch (error) {
      file.close()
      if (isBusy(error)) return null
      throw error
    }
    return { release: async () => void (file.isOpen && file.close()) }
  }

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && Number(error.errcode) % 256 === BUSY

/** Rows read in one iteration of the event loop. */
const SLICE = 5_000

/** Passes every row of a statement to `take`, a slice at a time. */
async function scanStatement(statement: StatementSync, take: Scan['take']): Promise<void> {
  statement.setReadBigInts(true)
  statement.setReturnArrays(true)
  const cells = new ValueCells()
  let count = 0
  for (const row of statement.iterate()) {
    cells.begin(row as unknown as readonly CellValue[])
    take(cells)
    if ((count += 1) % SLICE === 0) await yieldToLoop()
  }
}

/** Prepared statements that are kept; beyond this the oldest is dropped. */
const STATEMENT_CACHE_SIZE = 200

/** The database in a file, by Node's SQLite: with a write-ahead log, and every commit on disk before it returns. */
export function openSqlite(dataDir: string, { isReadOnly = false } = {}): Database {
  const path = join(dataDir, 'fairlot.sqlite')
  if (!isReadOnly) {
    mkdirSync(dataDir, { recursive: true, mode: OWNER_ONLY_FOLDER })
    makeOwnerOnly(path)
    // SQLite gives new files the permissions of the database; files of an earlier run may have wider ones.
    for (const beside of ['-wal', '-shm', '-journal']) keepOwnerOnly(path + beside)
  }
  const file = new DatabaseSync(path, { readOnly: isReadOnly })
  file.exec('pragma busy_timeout = 5000')
  if (!isReadOnly) file.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
  const prepare = cached((sql) => file.prepare(sql))
  const prepareForKysely = cached((sql) => adapt(prepare(sql)))
  const dialect = new SqliteDialect({ database: { close: () => file.close(), prepare: prepareForKysely } })
  const queries = new Kysely<Tables>({ dialect })
  return {
    kind: 'sqlite',
    queries,
    // There is one connection to the file; Kysely serializes its use.
    openConnection: () => ({
      queries,
      run: async (statement, values) =>
        void (await queries.executeQuery(CompiledQuery.raw(statement, [...values]))),
      close: () => Promise.resolve(),
    }),
    // The transaction has that connection, so these statements are part of it.
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

/** The methods that Kysely's driver needs. */
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

/** A prepared statement run once per row is three times as fast as one statement for all rows. */
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
