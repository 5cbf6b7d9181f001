import { createHash } from 'node:crypto'
import { type Entry, type Request, requestKey } from '@fairlot/core'
import type { Line, Queries } from '../../database/open.ts'
import type { JournalTable } from '../../database/schema.ts'
import { decodeEntries, decodeWritten, type EncodedEntry, listed, type WrittenEntry } from './entry-codec.ts'

/** What the first row names as the one before it. */
const GENESIS = '0'.repeat(64)

const BLANK: JournalTable = { seq: 0n, at: 0n, writer: '', previous_hash: '', hash: '', entries: '' }
const COLUMNS = Object.keys(BLANK) as (keyof JournalTable)[]

/** Rows read in one go when the journal is folded. */
const READ_CHUNK = 50

/** Where the journal ends: its last row without the contents. */
export type JournalHead = { readonly seq: number; readonly hash: string; readonly at: number }

/** One committed batch. */
export type JournalBatch = { readonly seq: number; readonly entries: readonly Entry[] }

/** Covers a row's contents and, through the hash before it, every row before. */
const sealOf = ({ seq, at, writer, previous_hash, entries }: Omit<JournalTable, 'hash'>): string =>
  createHash('sha256')
    .update(`${previous_hash} ${seq} ${at} ${writer} `)
    // By itself: so its pieces are put together once, and not again when it is sent.
    .update(entries)
    .digest('hex')

/**
 * The row that follows a head: `at` is the time of its last entry. `writer` names the engine that runs, so
 * that two which decide the same can tell their rows apart.
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
export function createAppend({ queries, run }: Pick<Line, 'queries' | 'run'>): Append {
  // Written once: composing the statement takes longer than sending it.
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

/** Before the first row. */
export const NO_ROW: Pick<JournalTable, 'seq' | 'hash'> = { seq: 0n, hash: GENESIS }

/** True for a row that follows another without a gap, and holds what its hash covers. */
export const follows = (previous: Pick<JournalTable, 'seq' | 'hash'>, row: JournalTable): boolean =>
  row.seq === previous.seq + 1n && row.previous_hash === previous.hash && row.hash === sealOf(row)

/** The sequence number of the first row that does not follow from the one before it; null when the chain holds. */
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

/** What a request did when it was accepted: the entry with it in a journal row. Null where there is none. */
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
