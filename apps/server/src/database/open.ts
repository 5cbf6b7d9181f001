import { Migrator } from 'kysely/migration'
import type { Database, DatabasePlace } from './database.ts'
import { migrations } from './migrations/index.ts'
import { openSqlite } from './sqlite.ts'

export type { Database, DatabaseKind, DatabasePlace, Line, LineTerms, Queries, Reading } from './database.ts'

/** Opens the database and brings its tables up to date. Throws when it cannot be reached or a migration fails. */
export async function openDatabase(place: DatabasePlace): Promise<Database> {
  const database =
    place.databaseUrl === null ? openSqlite(place.dataDir) : await openServer(place.databaseUrl)
  try {
    await migrate(database)
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

/** Opens a database that is there, to read only. Nothing is created or brought up to date. Throws when it is not there. */
export const openForReading = async ({ databaseUrl, dataDir }: DatabasePlace): Promise<Database> =>
  databaseUrl === null ? openSqlite(dataDir, { isReadOnly: true }) : openServer(databaseUrl)

/** PostgreSQL's client is loaded where there is a server to speak to. */
const openServer = async (url: string): Promise<Database> => (await import('./postgres.ts')).openPostgres(url)

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
