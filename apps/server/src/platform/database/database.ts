import type { Kysely, Transaction } from 'kysely'
import type { TableChange } from './bulk.ts'
import type { Scan } from './scan.ts'
import type { Tables } from './schema.ts'

export type DatabaseKind = 'sqlite' | 'postgres'
export type Queries = Kysely<Tables>

export type Database = {
  readonly kind: DatabaseKind
  readonly queries: Queries
  /** A connection that does not wait for the pool. Close it before the database. */
  openConnection(terms: ConnectionOptions): DedicatedConnection
  /** Writes many rows of one table at once, inside a transaction. */
  writeRows(transaction: Transaction<Tables>, change: TableChange): Promise<void>
  /** Passes many rows to `take`, one at a time; `queries` may be a transaction. An error in `take` ends the scan. */
  scanRows(queries: Queries, scan: Scan): Promise<void>
  close(): Promise<void>
}

/** Read access to a database, possibly within a transaction that sees one snapshot. */
export type Reading = Pick<Database, 'queries' | 'scanRows'>

export type DedicatedConnection = {
  readonly queries: Queries
  /** Runs a frequent statement without the query builder, which takes longer than the statement itself. */
  run(statement: string, values: readonly unknown[]): Promise<void>
  close(): Promise<void>
}

export type ConnectionOptions = {
  /** A statement that takes longer fails; whether it took effect is then unknown. 0 for no limit. */
  readonly timeoutMs: number
  /** False: a crash of the machine may lose the latest commits, but no part of a commit and none before a kept one. */
  readonly isDurable: boolean
}

/** Where the data is stored: on a PostgreSQL server, or in a file of the data folder. */
export type DatabasePlace = { readonly databaseUrl: string | null; readonly dataDir: string }

/** The right of one program at a time to write to a database. It ends with the process. */
export type DatabaseLock = { release(): Promise<void> }

/** Tries to take the lock once; null while another program holds it. */
export type TakeLock = (onLost: (reason: string) => void) => Promise<DatabaseLock | null>
