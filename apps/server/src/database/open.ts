import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { migrations } from './migrations/index.ts'
import type { Tables } from './schema.ts'
import { sqliteDialect } from './sqlite.ts'

export type DatabaseKind = 'sqlite' | 'postgres'
export type Queries = Kysely<Tables>
export type Database = { readonly kind: DatabaseKind; readonly queries: Queries; close(): Promise<void> }

/** Where the data lives: a PostgreSQL server, or a file in the data folder. */
export type DatabasePlace = { readonly databaseUrl: string | null; readonly dataDir: string }

// BIGINT (type 20) as bigint, so that both databases answer alike and no amount passes through a float.
pg.types.setTypeParser(20, BigInt)

/** Opens the database and brings its tables up to date. Throws when it cannot be reached or a migration fails. */
export async function openDatabase(place: DatabasePlace): Promise<Database> {
  const database = place.databaseUrl === null ? openEmbedded(place.dataDir) : openServer(place.databaseUrl)
  await migrate(database)
  return database
}

function openEmbedded(dataDir: string): Database {
  return asDatabase('sqlite', new Kysely<Tables>({ dialect: sqliteDialect(join(dataDir, 'fairlot.sqlite')) }))
}

function openServer(url: string): Database {
  const pool = new pg.Pool({ connectionString: url, max: 10, connectionTimeoutMillis: 5_000 })
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  return asDatabase('postgres', new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }))
}

const asDatabase = (kind: DatabaseKind, queries: Queries): Database => ({
  kind,
  queries,
  close: () => queries.destroy(),
})

async function migrate({ kind, queries }: Database): Promise<void> {
  const provider = { getMigrations: () => Promise.resolve(migrations(kind)) }
  const { error } = await new Migrator({ db: queries, provider }).migrateToLatest()
  if (error) throw error
}
