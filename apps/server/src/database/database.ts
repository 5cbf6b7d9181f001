import type { Kysely, Transaction } from 'kysely'
import type { TableChange } from './bulk.ts'
import type { Scan } from './scan.ts'
import type { Tables } from './schema.ts'

export type DatabaseKind = 'sqlite' | 'postgres'
export type Queries = Kysely<Tables>

export type Database = {
  readonly kind: DatabaseKind
  readonly queries: Queries
  /** A way in that does not queue behind the other users of the database. Close it before the database. */
  openLine(terms: LineTerms): Line
  /** Writes many rows of one table in one go, inside a transaction. */
  writeRows(transaction: Transaction<Tables>, change: TableChange): Promise<void>
  /** Hands over the cells of many rows, one row after the other; `queries` may be a transaction. What `take` throws ends it. */
  scanRows(queries: Queries, scan: Scan): Promise<void>
  close(): Promise<void>
}

/** A database as it is read, be it within a transaction that sees one moment. */
export type Reading = Pick<Database, 'queries' | 'scanRows'>

export type Line = {
  readonly queries: Queries
  /** Sends a statement that is written once and given often: past the query layer, which takes longer than the statement. */
  run(statement: string, values: readonly unknown[]): Promise<void>
  close(): Promise<void>
}

export type LineTerms = {
  /** A statement that takes longer fails; whether it took effect is then unknown. */
  readonly timeoutMs: number
  /** False: a commit may be lost with the machine, but never half of it, nor one without those after it. */
  readonly isDurable: boolean
}

/** Where the data lives: a PostgreSQL server, or a file in the data folder. */
export type DatabasePlace = { readonly databaseUrl: string | null; readonly dataDir: string }
