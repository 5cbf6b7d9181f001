import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Entry, Posting } from '@fairlot/core'
import type { Database } from '../database/open.ts'
import { emptyRows, projectEntry } from './projection-rows.ts'
import { readReached, writeStretch, type Reached, type Stretch } from './projection-write.ts'

/** Entries written in one transaction. On SQLite the whole process waits for it. */
const STRETCH_SIZE = 500
/** While orders wait for their commit the tables stand back, until they are this many entries behind. */
const BURST_SIZE = 30_000
const LINE_TERMS = { timeoutMs: 10_000, isDurable: false }
const RETRY_FIRST_MS = 50
const RETRY_LAST_MS = 1_000

/** A committed entry with the ledger rows it made. */
export type Change = { readonly entry: Entry; readonly postings: readonly Posting[] }

/** A journal row on its way to the tables. */
export type CommittedBatch = { readonly seq: number; readonly changes: readonly Change[] }

export type Projector = {
  /** Takes a committed batch; writing follows by itself. */
  push(batch: CommittedBatch): void
  /** Tells that the queue has come to rest. */
  wake(): void
  /** Entries committed but not yet in the tables. */
  lag(): number
  /** Resolves once the tables hold everything up to a journal row. */
  reached(seq: number): Promise<void>
  /** Resolves after the next attempt to write. */
  attempted(): Promise<void>
  /** Stops after the write under way. Nobody waits for the tables any longer. */
  stop(): Promise<void>
}

type ProjectorOptions = {
  readonly database: Database
  readonly start: Reached
  /** False while orders wait for their commit. */
  readonly isQuiet: () => boolean
  readonly onError: (error: unknown) => void
}

/** Lets the tables follow the journal. A failing write is tried again; the journal keeps what waits. */
export function createProjector({ database, start, isQuiet, onError }: ProjectorOptions): Projector {
  const stopping = new AbortController()
  const readers = new Set<{ seq: number; resolve: () => void }>()
  const waiting: CommittedBatch[] = []
  let lag = 0
  let line = database.openLine(LINE_TERMS)
  let tables: Reached | null = start
  let attempt = Promise.withResolvers<void>()
  let writing: Promise<void> | null = null
  let retryMs = RETRY_FIRST_MS

  const isStopped = () => stopping.signal.aborted
  const mayWrite = () =>
    waiting.length > 0 && !isStopped() && (isQuiet() || readers.size > 0 || lag > BURST_SIZE)

  /** Forgets what the tables hold by now, and tells those who wait for it. */
  const settle = (seq: number) => {
    const rest = waiting.findIndex((batch) => batch.seq > seq)
    const written = waiting.splice(0, rest < 0 ? waiting.length : rest)
    for (const batch of written) lag -= batch.changes.length
    for (const reader of readers) {
      if (reader.seq > seq) continue
      readers.delete(reader)
      reader.resolve()
    }
  }

  const writeNext = async () => {
    tables ??= await readReached(line.queries)
    settle(tables.seq)
    const stretch = foldStretch(waiting, tables)
    if (!stretch) return
    await writeStretch(database, line.queries, stretch)
    tables = { seq: stretch.to, numbers: stretch.numbers }
    settle(tables.seq)
    retryMs = RETRY_FIRST_MS
  }

  /** The write may have taken effect all the same, so the tables are asked anew where they are. */
  const retryLater = async (error: unknown) => {
    tables = null
    onError(error)
    await pause(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    retryMs = Math.min(retryMs * 2, RETRY_LAST_MS)
    await line.close()
    line = database.openLine(LINE_TERMS)
  }

  const writeAll = async () => {
    while (mayWrite()) {
      await writeNext().catch(retryLater)
      attempt.resolve()
      attempt = Promise.withResolvers()
      await nextTurn()
    }
    writing = null
  }

  const wake = () => {
    if (mayWrite()) writing ??= writeAll()
  }

  return {
    push: (batch) => {
      waiting.push(batch)
      lag += batch.changes.length
      wake()
    },
    wake,
    lag: () => lag,
    reached: (seq) => {
      if (isStopped() || (waiting.at(0)?.seq ?? Infinity) > seq) return Promise.resolve()
      const { promise, resolve } = Promise.withResolvers<void>()
      readers.add({ seq, resolve })
      wake()
      return promise
    },
    attempted: () => (isStopped() ? Promise.resolve() : attempt.promise),
    stop: async () => {
      stopping.abort()
      await writing
      settle(Infinity)
      attempt.resolve()
      await line.close()
    },
  }
}

/** The rows of the oldest waiting batches: as many as fit into one stretch, at least one. */
function foldStretch(waiting: readonly CommittedBatch[], { seq, numbers }: Reached): Stretch | null {
  const stretch: Stretch = { from: seq, to: seq, at: 0, rows: emptyRows(), numbers: { ...numbers } }
  let size = 0
  for (const batch of waiting) {
    size += batch.changes.length
    if (stretch.to > seq && size > STRETCH_SIZE) break
    if (batch.seq !== stretch.to + 1)
      throw new Error(`journal row ${stretch.to + 1} never came to the tables`)
    for (const change of batch.changes) projectEntry(stretch.rows, stretch.numbers, change)
    stretch.to = batch.seq
    stretch.at = batch.changes.at(-1)?.entry.at ?? stretch.at
  }
  return stretch.to > seq ? stretch : null
}
