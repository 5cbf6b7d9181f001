import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Client } from 'pg'
import type { DatabaseKind, DatabasePlace } from '../database/open.ts'
import { makePlace } from './running-server.ts'

const FOLDER = join(import.meta.dirname, 'fixtures')

/** One list of a trader's orders: how many there were, and the ids of its first page. */
type ShownList = { readonly total: number; readonly ids: readonly number[] }

type OldTrader = {
  /** Of a session that was still good at the end. */
  readonly token: string
  readonly pending: ShownList
  readonly holding: ShownList
  readonly history: ShownList
  readonly balance: number
}

/** What an old server showed last. */
type LastShown = {
  /** Where its market clock stood, epoch ms. */
  readonly endedAt: number
  /** The address of the one who registered; the password is that of all test accounts. */
  readonly member: string
  /** A change that was sent with a name of its own, and the order it made. */
  readonly request: { readonly trader: string; readonly key: string; readonly orderId: number }
  readonly traders: Readonly<Record<string, OldTrader>>
}

/** A database that an earlier version has written, unpacked where the server of today can open it. */
export type OldDatabase = {
  readonly place: DatabasePlace
  readonly shown: LastShown
  remove(): Promise<void>
}

/** Unpacks the database of the first journal; testing/fixtures/README.md tells what is in it. */
export async function unpackFirstJournal(kind: DatabaseKind): Promise<OldDatabase> {
  const { remove, ...place } = await makePlace(kind)
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

/** On a connection of their own: a dump leaves settings behind. */
async function runStatements(databaseUrl: string, statements: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(statements)
  await client.end()
}
