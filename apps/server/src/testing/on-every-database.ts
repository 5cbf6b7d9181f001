import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, describe, inject, onTestFinished } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../testing/test-database.ts'
import type {} from '../../../../tools/vitest-context.ts'
import {
  openDatabase,
  type Database,
  type DatabaseKind,
  type DatabasePlace,
} from '../platform/database/open.ts'

/** Databases for the running test; they are closed and removed when it ends. */
export type Databases = {
  readonly kind: DatabaseKind
  /** A database with tables and no rows. It can be opened several times. */
  place(): Promise<DatabasePlace>
  /** Opens a place, or an empty database when none is given. */
  open(place?: DatabasePlace): Promise<Database>
}

const postgresUrl = inject('postgresUrl')
const spare: TestDatabase[] = []
afterAll(() => Promise.all(spare.splice(0).map(({ drop }) => drop())))

const databasesAt = (kind: DatabaseKind, place: () => Promise<DatabasePlace>): Databases => ({
  kind,
  place,
  open: async (given) => {
    const database = await openDatabase(given ?? (await place()))
    onTestFinished(() => database.close())
    return database
  },
})

/**
 * Both databases, for `describe.each(everyDatabase)('orders, $kind', (databases) => …)`. Without a PostgreSQL server
 * only SQLite; the test run reports that once, at its start. Most areas run on both in `npm run check:all` only.
 */
export const everyDatabase: readonly Databases[] = [
  databasesAt('sqlite', makeFolder),
  ...(postgresUrl === null || inject('databases') === 'one'
    ? []
    : [databasesAt('postgres', () => takeDatabase(postgresUrl))]),
]

/** Runs a few tests on every database. */
export const onEveryDatabase = (name: string, tests: (databases: Databases) => void): void =>
  describe.each(everyDatabase)(`${name}, $kind`, tests)

async function makeFolder(): Promise<DatabasePlace> {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlot-test-'))
  cpSync(inject('templates').sqlite, dataDir, { recursive: true })
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  return { databaseUrl: null, dataDir }
}

/** Creating a database takes longer than emptying one, so the next test uses it again. */
async function takeDatabase(postgresUrl: string): Promise<DatabasePlace> {
  const server = new URL(postgresUrl)
  server.pathname = '/postgres'
  const database = spare.pop() ?? (await createTestDatabase(server.href, inject('templates').postgres))
  onTestFinished(async () => {
    await empty(database.url)
    spare.push(database)
  })
  return { databaseUrl: database.url, dataDir: '' }
}

/** Closes other connections and deletes every row; the replica role disables the triggers of append-only tables. */
async function empty(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(
    `set session_replication_role = replica;
     select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid();
     do $$ declare name text; begin
       for name in select tablename from pg_tables where schemaname = 'public' and tablename not like 'kysely%' loop
         execute format('delete from %I', name);
       end loop;
     end $$`,
  )
  await client.end()
}
