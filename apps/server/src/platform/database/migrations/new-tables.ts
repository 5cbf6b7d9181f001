import { sql, type CreateTableBuilder, type Kysely } from 'kysely'
import type { DatabaseKind } from '../database.ts'

/** A column of a new table. Money and time are BIGINT, JSON is text. */
export type Column = readonly [name: string, type: 'bigint' | 'text', isNullable?: 'nullable']

/** Creates tables. The first column of each is its primary key. */
export async function createTables(
  db: Kysely<unknown>,
  tables: Readonly<Record<string, readonly Column[]>>,
): Promise<void> {
  for (const [name, columns] of Object.entries(tables)) {
    let table: CreateTableBuilder<string, string> = db.schema.createTable(name)
    for (const [index, [column, type, isNullable]] of columns.entries())
      table = table.addColumn(column, type, (built) => {
        if (index === 0) return built.primaryKey().notNull()
        return isNullable ? built : built.notNull()
      })
    await table.execute()
  }
}

/** Makes the database reject every change or deletion of a row. */
export async function makeAppendOnly(db: Kysely<unknown>, kind: DatabaseKind, table: string): Promise<void> {
  if (kind === 'postgres') {
    // Migration 0001 has created the function.
    await sql
      .raw(
        `create trigger ${table}_append_only before update or delete or truncate on ${table}
         for each statement execute function refuse_change()`,
      )
      .execute(db)
    return
  }
  for (const change of ['update', 'delete'])
    await sql
      .raw(
        `create trigger ${table}_no_${change} before ${change} on ${table}
         begin select raise(abort, '${table} is append-only'); end`,
      )
      .execute(db)
}
