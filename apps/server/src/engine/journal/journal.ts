import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { requestKey, type Entry, type Request } from '@fairlot/core'
import type { Database, DedicatedConnection, Queries } from '../../platform/database/open.ts'
import type { JournalTable } from '../../platform/database/schema.ts'
import { decodeEntries, decodeWritten, listed, type EncodedEntry, type WrittenEntry } from './entry-codec.ts'

/** The previous hash in the first row. */
const GENESIS = '0'.repeat(64)

const BLANK: JournalTable = { seq: 0n, at: 0n, writer: '', previous_hash: '', hash: '', entries: '' }
const COLUMNS = Object.keys(BLANK) as (keyof JournalTable)[]

/** Rows per query when the journal is read. */
const READ_CHUNK = 50

/** The last row of the journal, without its contents. */
export type JournalHead = { readonly seq: number; readonly hash: string; readonly at: number }

/** One committed batch. */
export type JournalBatch = { readonly seq: number; readonly entries: readonly Entry[] }

/** The hash of a row: covers its contents and, through the previous hash, all earlier rows. */
const sealOf = ({ seq, at, writer, previous_hash, entries }: Omit<JournalTable, 'hash'>): string =>
  createHash('sha256')
    .update(`${previous_hash} ${seq} ${at} ${writer} `)
    // Separately: the string is then flattened once, and not again when it is sent.
    .update(entries)
    .digest('hex')

/**
 * The row after a head. `at` is the time of its last entry; `writer` is the id of the running engine, so that rows of two
 * writers with the same decisions differ.
 */
export function nextRow(
  head: JournalHead,
  { at, entries }: { at: number; entries: readonly EncodedEntry[] },
  writer: string,
): JournalTable {
  const row = {
    seq: BigInt(head.seq + 1),
    at: BigInt(at),
    writer,
    previous_hash: head.hash,
    entries: listed(entries),
  }
  return { ...row, hash: sealOf(row) }
}

export const headAt = (row: Pick<JournalTable, 'seq' | 'hash' | 'at'>): JournalHead => ({
  seq: Number(row.seq),
  hash: row.hash,
  at: Number(row.at),
})

export type Append = (row: JournalTable) => Promise<void>

/**
 * Appends one batch in one commit. Two writers cannot both succeed: the sequence number is the key. Throws when the
 * commit failed or its outcome is unknown.
 */
export function createAppend({ queries, run }: Pick<DedicatedConnection, 'queries' | 'run'>): Append {
  // Compiled once: building the statement takes longer than sending it.
  const { sql } = queries.insertInto('journal').values(BLANK).compile()
  return (row) =>
    run(
      sql,
      COLUMNS.map((column) => row[column]),
    )
}

export async function readHead(queries: Queries): Promise<JournalHead> {
  const last = await queries
    .selectFrom('journal')
    .select(['seq', 'hash', 'at'])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last ? headAt(last) : { seq: 0, hash: GENESIS, at: 0 }
}

/** The batches after a sequence number, oldest first. */
export async function* readJournal(queries: Queries, after: number): AsyncGenerator<JournalBatch> {
  for await (const row of readRows(queries, after)) {
    yield { seq: Number(row.seq), entries: decodeEntries(row.entries) }
  }
}

/** The rows from one sequence number to another, with the texts of their events. */
export async function readWritten(
  queries: Queries,
  first: number,
  last: number,
): Promise<Map<number, WrittenEntry[]>> {
  const rows = await queries
    .selectFrom('journal')
    .select(['seq', 'entries'])
    .where('seq', '>=', BigInt(first))
    .where('seq', '<=', BigInt(last))
    .execute()
  return new Map(rows.map(({ seq, entries }) => [Number(seq), decodeWritten(entries)]))
}

/** The position before the first row. */
export const NO_ROW: Pick<JournalTable, 'seq' | 'hash'> = { seq: 0n, hash: GENESIS }

/** True for a row that follows another without a gap and matches its hash. */
export const follows = (previous: Pick<JournalTable, 'seq' | 'hash'>, row: JournalTable): boolean =>
  row.seq === previous.seq + 1n && row.previous_hash === previous.hash && row.hash === sealOf(row)

/** The sequence number of the first row that breaks the hash chain; null if none does. */
export async function findBrokenLink(queries: Queries): Promise<number | null> {
  let previous = NO_ROW
  for await (const row of readRows(queries, 0)) {
    if (!follows(previous, row)) return Number(row.seq)
    previous = row
  }
  return null
}

/** The rows after a sequence number, oldest first. */
export async function* readRows(queries: Queries, after: number): AsyncGenerator<JournalTable> {
  for (let last = BigInt(after); ;) {
    const rows = await queries
      .selectFrom('journal')
      .selectAll()
      .where('seq', '>', last)
      .orderBy('seq')
      .limit(READ_CHUNK)
      .execute()
    yield* rows
    const newest = rows.at(-1)
    if (!newest) return
    last = newest.seq
  }
}

/** The entry of a request in a journal row; null if there is none. */
export async function readRequestEntry(
  queries: Queries,
  row: number,
  request: Request,
): Promise<Entry | null> {
  const key = requestKey(request)
  const entries = (await readWritten(queries, row, row)).get(row) ?? []
  const found = entries.find(({ entry }) => entry.request !== null && requestKey(entry.request) === key)
  return found?.entry ?? null
}

/** A commit that takes longer counts as failed. */
const COMMIT_OPTIONS = { timeoutMs: 4_000, isDurable: true }
/** Most attempts to append one row while the database answers otherwise. */
const MAX_APPENDS = 3
/** No attempt starts later, since callers may already have been answered `engineUnavailable`. */
const APPEND_WITHIN_MS = 4_000
const RETRY_FIRST_MS = 20
const RETRY_LAST_MS = 2_000

/**
 * The outcome of an append: `there`, exactly once; `lost`, when it is not in the journal and cannot be appended; `unknown`,
 * when the engine stopped before the database answered; or why this program may write no more.
 */
type Outcome = 'there' | 'lost' | 'unknown' | { readonly steppedDown: string }

/** A dedicated connection for appends to the journal, replaced after a failure. */
export type JournalConnection = {
  /** Appends a row after the head. Resolves once the outcome is known, however long the database takes. */
  append(head: JournalHead, row: JournalTable): Promise<Outcome>
  close(): Promise<void>
}

type JournalConnectionOptions = {
  readonly database: Database
  readonly stopping: AbortSignal
  readonly onError: (error: unknown, doing: string) => void
  /** Called when the database cannot be reached; retries continue. */
  readonly onAway: () => void
}

export function openJournalConnection({
  database,
  stopping,
  onError,
  onAway,
}: JournalConnectionOptions): JournalConnection {
  const open = (): { connection: DedicatedConnection; write: Append } => {
    const connection = database.openConnection(COMMIT_OPTIONS)
    return { connection, write: createAppend(connection) }
  }
  let now = open()

  /** Looks the row up over a new connection, until the database answers. */
  const readOutcome = async (head: JournalHead, row: JournalTable): Promise<Outcome | 'absent'> => {
    for (let pauseMs = RETRY_FIRST_MS; !stopping.aborted; pauseMs = Math.min(pauseMs * 2, RETRY_LAST_MS)) {
      try {
        const broken = now.connection
        // A connection that cannot be closed must not be used again.
        now = open()
        await broken.close().catch((error: unknown) => onError(error, 'closing a broken connection'))
        return await find(now.connection.queries, head, row)
      } catch (error) {
        if (pauseMs === RETRY_FIRST_MS) onError(error, 'reading the outcome of a commit')
        onAway()
      }
      await pause(pauseMs, undefined, { signal: stopping }).catch(() => undefined)
    }
    return 'unknown'
  }

  return {
    append: async (head, row) => {
      const end = performance.now() + APPEND_WITHIN_MS
      for (let count = 1; count <= MAX_APPENDS && performance.now() < end; count += 1) {
        try {
          await now.write(row)
          return 'there'
        } catch (error) {
          if (count === 1) onError(error, 'committing to the journal')
        }
        const found = await readOutcome(head, row)
        if (found !== 'absent') return found
      }
      return 'lost'
    },
    close: () => now.connection.close(),
  }
}

/** Identifies a row by its hash, which covers its writer and all earlier rows. */
async function find(queries: Queries, head: JournalHead, row: JournalTable): Promise<Outcome | 'absent'> {
  const rows = await queries
    .selectFrom('journal')
    .select(['seq', 'hash', 'writer'])
    .where('seq', '>=', BigInt(head.seq))
    .where('seq', '<=', row.seq)
    .execute()
  const there = rows.find(({ seq }) => seq === row.seq)
  if (there?.hash === row.hash) return 'there'
  // An earlier append of ours, already given up, was committed late.
  if (there) return there.writer === row.writer ? 'lost' : steppedDown(row.seq)
  const isBehindHead = head.seq === 0 || rows.some(({ hash }) => hash === head.hash)
  return isBehindHead
    ? 'absent'
    : { steppedDown: `the journal no longer ends with row ${head.seq}, ${WRITES_NO_MORE}` }
}

const WRITES_NO_MORE = 'so this Fairlot writes no more'

const steppedDown = (seq: bigint | number): { readonly steppedDown: string } => ({
  steppedDown: `another program has written journal row ${seq}, ${WRITES_NO_MORE}`,
})

/** Why this program may write no more: another writer has appended after its last row. Null if none has. */
export async function findOtherWriter(
  queries: Queries,
  { seq, writer }: { readonly seq: number; readonly writer: string },
): Promise<string | null> {
  const found = await queries
    .selectFrom('journal')
    .select('seq')
    .where('seq', '>', BigInt(seq))
    .where('writer', '!=', writer)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  return found ? steppedDown(found.seq).steppedDown : null
}
