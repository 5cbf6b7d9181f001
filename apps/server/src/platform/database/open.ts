import { Migrator } from 'kysely/migration'
import type { Database, DatabasePlace } from './database.ts'
import { migrations } from './migrations/index.ts'
import { openSqlite } from './sqlite.ts'

export type {
  Database,
  DatabaseKind,
  DatabasePlace,
  DedicatedConnection,
  ConnectionOptions,
  Queries,
  Reading,
} from './database.ts'

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

/** Opens an existing database read-only, without migrations. Throws when there is none. */
export const openForReading = async ({ databaseUrl, dataDir }: DatabasePlace): Promise<Database> =>
  databaseUrl === null ? openSqlite(dataDir, { isReadOnly: true }) : openServer(databaseUrl)

/** The PostgreSQL client is loaded only when it is used. */
const openServer = async (url: string): Promise<Database> => (await import('./postgres.ts')).openPostgres(url)

async function migrate({ kind, openConnection }: Database): Promise<void> {
  // Without a timeout: an index on a large table takes long.
  const connection = openConnection({ timeoutMs: 0, isDurable: true })
  const provider = { getMigrations: () => Promise.resolve(migrations(kind)) }
  const { error } = await new Migrator({ db: connection.queries, provider }).migrateToLatest()
  await connection.close()
  if (error instanceof Error && error.message.startsWith('corrupted migrations')) throw new ForeignTables()
  if (error) throw error
}

/** The database has migrations that this version does not know: of a later version, or of one before the first release. */
class ForeignTables extends Error {
  constructor() {
    super(
      'this database was made by another version of Fairlot, which this one cannot read. Start that version, or choose an empty database or data folder',
    )
  }
}
