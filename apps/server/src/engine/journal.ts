import { createHash } from 'node:crypto'
import type { Entry } from '@fairlot/core'
import type { Queries } from '../database/open.ts'
import { decodeEntries, encodeEntries } from './entry-codec.ts'

/** What the first row names as the one before it. */
const GENESIS = '0'.repeat(64)

/** Rows read in one go when the journal is folded. */
const READ_CHUNK = 500

/** Where the journal ends. */
export type JournalHead = { readonly seq: number; readonly hash: string; readonly at: number }

/** One committed batch. */
export type JournalRow = { readonly seq: number; readonly entries: readonly Entry[] }

const hashOf = (previousHash: string, seq: number, entries: string): string =>
  createHash('sha256').update(`${previousHash} ${seq} ${entries}`).digest('hex')

export async function readHead(queries: Queries): Promise<JournalHead> {
  const last = await queries
    .selectFrom('journal')
    .select(['seq', 'hash', 'at'])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last ? { seq: Number(last.seq), hash: last.hash, at: Number(last.at) } : { seq: 0, hash: GENESIS, at: 0 }
}

/**
 * Appends one batch in one commit and returns the new head. Two writers cannot both succeed: the sequence number is the
 * key. Throws when the commit failed or its outcome is unknown.
 */
export async function appendBatch(
  queries: Queries,
  head: JournalHead,
  batch: { at: number; entries: readonly Entry[] },
): Promise<JournalHead> {
  const seq = head.seq + 1
  const entries = encodeEntries(batch.entries)
  const hash = hashOf(head.hash, seq, entries)
  await queries
    .insertInto('journal')
    .values({ seq: BigInt(seq), at: BigInt(batch.at), previous_hash: head.hash, hash, entries })
    .execute()
  return { seq, hash, at: batch.at }
}

/** True when a batch whose commit went unanswered is in the journal after all. */
export async function hasBatch(
  queries: Queries,
  head: JournalHead,
  batch: { entries: readonly Entry[] },
): Promise<boolean> {
  const seq = head.seq + 1
  const row = await queries.selectFrom('journal').select('hash').where('seq', '=', BigInt(seq)).executeTakeFirst()
  return row?.hash === hashOf(head.hash, seq, encodeEntries(batch.entries))
}

/** The batches after a sequence number, oldest first. */
export async function* readJournal(queries: Queries, after: number): AsyncGenerator<JournalRow> {
  for (let last = after; ; ) {
    const rows = await queries
      .selectFrom('journal')
      .select(['seq', 'entries'])
      .where('seq', '>', BigInt(last))
      .orderBy('seq')
      .limit(READ_CHUNK)
      .execute()
    for (const row of rows) yield { seq: Number(row.seq), entries: decodeEntries(row.entries) }
    const newest = rows.at(-1)
    if (!newest) return
    last = Number(newest.seq)
  }
}

/** The first row whose hash does not follow from the one before it; null when the chain holds. */
export async function findBrokenLink(queries: Queries): Promise<number | null> {
  let previous = { seq: 0, hash: GENESIS }
  for (;;) {
    const rows = await queries
      .selectFrom('journal')
      .selectAll()
      .where('seq', '>', BigInt(previous.seq))
      .orderBy('seq')
      .limit(READ_CHUNK)
      .execute()
    if (rows.length === 0) return null
    for (const row of rows) {
      const seq = Number(row.seq)
      const isLinked =
        seq === previous.seq + 1 &&
        row.previous_hash === previous.hash &&
        row.hash === hashOf(previous.hash, seq, row.entries)
      if (!isLinked) return seq
      previous = { seq, hash: row.hash }
    }
  }
}
