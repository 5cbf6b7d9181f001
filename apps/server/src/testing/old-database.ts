import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Client } from 'pg'
import type { DatabaseKind, DatabasePlace } from '../platform/database/open.ts'
import { makePlace } from './running-server.ts'

const FOLDER = join(import.meta.dirname, 'fixtures')

/** A list of a trader's orders: their number, and the ids of the first page. */
type ShownList = { readonly total: number; readonly ids: readonly number[] }

type OldTrader = {
  /** The token of a session that was still valid at the end. */
  readonly token: string
  readonly pending: ShownList
  readonly holding: ShownList
  readonly history: ShownList
  readonly balance: number
}

/** What the old server showed last. */
type LastShown = {
  /** The last moment of its market clock, epoch ms. */
  readonly endedAt: number
  /** The e-mail address of the registered user; the password is that of all test accounts. */
  readonly member: string
  /** A request with an idempotency key, and the order that it placed. */
  readonly request: { readonly trader: string; readonly key: string; readonly orderId: number }
  readonly traders: Readonly<Record<string, OldTrader>>
}

/** A database written by an earlier version, unpacked for the current server. */
export type OldDatabase = {
  readonly place: DatabasePlace
  readonly shown: LastShown
  remove(): Promise<void>
}

/** Unpacks the database of the first journal, which testing/fixtures/README.md describes. */
export async function unpackFirstJournal(kind: DatabaseKind): Promise<OldDatabase> {
  const { remove, ...place } = await makePlace(kind, { hasTables: false })
  if (place.databaseUrl === null)
    writeFileSync(join(place.dataDir, 'fairlot.sqlite'), unpacked('first-journal.sqlite.gz'))
  else await runStatements(place.databaseUrl, unpacked('first-journal.postgres.sql.gz').toString())
  const shown = JSON.parse(readFileSync(join(FOLDER, 'first-journal.json'), 'utf8')) as Record<
    DatabaseKind,
    LastShown
  >
  return { place, shown: shown[kind], remove }
}

const unpacked = (name: string): Buffer => gunzipSync(readFileSync(join(FOLDER, name)))

/** On a separate connection, because a dump changes session settings. */
async function runStatements(databaseUrl: string, statements: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(statements)
  await client.end()
}
