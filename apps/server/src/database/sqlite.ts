import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely'

/** Statements kept prepared; past this the oldest goes. */
const STATEMENT_CACHE_SIZE = 200

/** A file database through Node's own SQLite: write-ahead log, every commit on disk before it is answered. */
export function sqliteDialect(path: string): SqliteDialect {
  return new SqliteDialect({ database: () => Promise.resolve(openFile(path)) })
}

function openFile(path: string): SqliteDatabase {
  mkdirSync(dirname(path), { recursive: true })
  const file = new DatabaseSync(path)
  file.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma busy_timeout = 5000')
  const prepared = new Map<string, SqliteStatement>()
  return {
    close: () => file.close(),
    prepare: (sql) => {
      const known = prepared.get(sql)
      if (known) return known
      const statement = adapt(file.prepare(sql))
      const oldest = prepared.keys().next()
      if (prepared.size >= STATEMENT_CACHE_SIZE && !oldest.done) prepared.delete(oldest.value)
      prepared.set(sql, statement)
      return statement
    },
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
