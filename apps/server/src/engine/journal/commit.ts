/** Appends to the journal, and finds out what became of an append that failed. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Database, Line, Queries } from '../../database/open.ts'
import type { JournalTable } from '../../database/schema.ts'
import { createAppend, type Append, type JournalHead } from './journal.ts'

/** A commit that takes longer counts as failed. */
const COMMIT_TERMS = { timeoutMs: 4_000, isDurable: true }
/** Appends of one row that may fail while the database answers otherwise. */
const MOST_APPENDS = 3
/** A row is not appended again once its callers may have been told that nobody knows: it must not take effect much later. */
const APPEND_WITHIN_MS = 4_000
const LOOK_FIRST_MS = 20
const LOOK_LAST_MS = 2_000

/**
 * What became of a row: `there`, once; `lost`, when it is not in the journal and cannot be brought there; `unknown`, when we stop
 * before the database has answered; or why this program may write no more.
 */
export type Outcome = 'there' | 'lost' | 'unknown' | { readonly steppedDown: string }

/** The way into the journal: one connection, replaced after a failure. */
export type JournalLine = {
  /** Appends a row behind the head. Comes back when it is known what became of it, however long the database takes. */
  append(head: JournalHead, row: JournalTable): Promise<Outcome>
  close(): Promise<void>
}

type JournalLineOptions = {
  readonly database: Database
  readonly stopping: AbortSignal
  readonly onError: (error: unknown, doing: string) => void
  /** The database cannot be reached; it is asked until it can. */
  readonly onAway: () => void
}

export function openJournalLine({ database, stopping, onError, onAway }: JournalLineOptions): JournalLine {
  const open = (): { line: Line; write: Append } => {
    const line = database.openLine(COMMIT_TERMS)
    return { line, write: createAppend(line) }
  }
  let now = open()

  /** Asks the journal on a new connection, until it answers. */
  const findOut = async (head: JournalHead, row: JournalTable): Promise<Outcome | 'absent'> => {
    for (let pauseMs = LOOK_FIRST_MS; !stopping.aborted; pauseMs = Math.min(pauseMs * 2, LOOK_LAST_MS)) {
      try {
        await now.line.close()
        now = open()
        return await find(now.line.queries, head, row)
      } catch (error) {
        if (pauseMs === LOOK_FIRST_MS) onError(error, 'asking the journal what became of a commit')
        onAway()
      }
      await pause(pauseMs, undefined, { signal: stopping }).catch(() => undefined)
    }
    return 'unknown'
  }

  return {
    append: async (head, row) => {
      const end = performance.now() + APPEND_WITHIN_MS
      for (let count = 1; count <= MOST_APPENDS && performance.now() < end; count += 1) {
        try {
          await now.write(row)
          return 'there'
        } catch (error) {
          if (count === 1) onError(error, 'committing to the journal')
        }
        const found = await findOut(head, row)
        if (found !== 'absent') return found
      }
      return 'lost'
    },
    close: () => now.line.close(),
  }
}

/** A row is told by its hash, which covers who wrote it and all rows before. */
async function find(queries: Queries, head: JournalHead, row: JournalTable): Promise<Outcome | 'absent'> {
  const rows = await queries
    .selectFrom('journal')
    .select(['seq', 'hash', 'writer'])
    .where('seq', '>=', BigInt(head.seq))
    .where('seq', '<=', row.seq)
    .execute()
  const there = rows.find(({ seq }) => seq === row.seq)
  if (there?.hash === row.hash) return 'there'
  // One of ours that was given up has landed late.
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

/** Why this program may write no more: another writer has appended after the last row known here. Null when none has. */
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
