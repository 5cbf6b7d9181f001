import type { Kysely, Transaction } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { TableChange } from './bulk.ts'
import { migrations } from './migrations/index.ts'
import { openPostgres } from './postgres.ts'
import type { Tables } from './schema.ts'
import { openSqlite } from './sqlite.ts'

export type DatabaseKind = 'sqlite' | 'postgres'
export type Queries = Kysely<Tables>

export type Database = {
  readonly kind: DatabaseKind
  readonly queries: Queries
  /** A way in that does not queue behind the other users of the database. Close it before the database. */
  openLine(terms: LineTerms): Line
  /** Writes many rows of one table in one go, inside a transaction. */
  writeRows(transaction: Transaction<Tables>, change: TableChange): Promise<void>
  close(): Promise<void>
}

export type Line = { readonly queries: Queries; close(): Promise<void> }

export type LineTerms = {
  /** A statement that takes longer fails; whether it took effect is then unknown. */
  readonly timeoutMs: number
  /** False: a commit may be lost with the machine, but never half of it, nor one without those after it. */
  readonly isDurable: boolean
}

/** Where the data lives: a PostgreSQL server, or a file in the data folder. */
export type DatabasePlace = { readonly databaseUrl: string | null; readonly dataDir: string }

/** Opens the database and brings its tables up to date. Throws when it cannot be reached or a migration fails. */
export async function openDatabase(place: DatabasePlace): Promise<Database> {
  const database = place.databaseUrl === null ? openSqlite(place.dataDir) : openPostgres(place.databaseUrl)
  try {
    await migrate(database)
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

/** Opens a database that is there, to read only. Nothing is created or brought up to date. Throws when it is not there. */
export const openForReading = ({ databaseUrl, dataDir }: DatabasePlace): Database =>
  databaseUrl === null ? openSqlite(dataDir, { isReadOnly: true }) : openPostgres(databaseUrl)

async function migrate({ kind, openLine }: Database): Promise<void> {
  // An index on a large table may take its time.
  const line = openLine({ timeoutMs: 0, isDurable: true })
  const provider = { getMigrations: () => Promise.resolve(migrations(kind)) }
  const { error } = await new Migrator({ db: line.queries, provider }).migrateToLatest()
  await line.close()
  if (error instanceof Error && error.message.startsWith('corrupted migrations')) throw new ForeignTables()
  if (error) throw error
}

/** The tables were made by steps that this version does not know: by a later one, or by one from before the first release. */
class ForeignTables extends Error {
  constructor() {
    super(
      'this database was made by another version of Fairlot, which this one cannot read. Start that version, or choose an empty database or data folder',
    )
  }
}
