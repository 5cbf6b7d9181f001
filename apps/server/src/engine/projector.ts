import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../database/open.ts'
import { Backlog, type CommittedBatch } from './backlog.ts'
import { emptyRows, projectEntry } from './projection-rows.ts'
import { createReceiptChain } from './receipt-chain.ts'
import { readReached, writeStretch, type Reached, type Stretch } from './projection-write.ts'

/** Events written in one transaction, more or less. On SQLite the whole process waits for it. */
const STRETCH_SIZE = 500
/** While orders wait for their commit the tables stand back, until they are this many entries behind. */
const BURST_SIZE = 30_000
const LINE_TERMS = { timeoutMs: 10_000, isDurable: false }
const RETRY_MS = 500

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
  const backlog = new Backlog()
  const chain = createReceiptChain()
  let line = database.openLine(LINE_TERMS)
  let tables: Reached | null = start
  let attempt = Promise.withResolvers<void>()
  let writing: Promise<void> | null = null

  const mayWrite = () =>
    backlog.entryCount > 0 &&
    !stopping.signal.aborted &&
    (isQuiet() || backlog.isAwaited || backlog.entryCount > BURST_SIZE)

  const writeNext = async () => {
    tables ??= await readReached(line.queries)
    backlog.drop(tables.seq)
    const stretch = foldStretch(backlog.batches, tables)
    const receipts = await chain.seal(line.queries, stretch.rows.proofs)
    await writeStretch(database, line.queries, stretch, receipts)
    tables = { seq: stretch.to, numbers: stretch.numbers }
    backlog.drop(tables.seq)
  }

  /** The write may have taken effect all the same, so the tables are asked anew where they are. */
  const retryLater = async (error: unknown) => {
    tables = null
    chain.forget()
    onError(error)
    await pause(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
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
      backlog.push(batch)
      wake()
    },
    wake,
    lag: () => backlog.entryCount,
    reached: (seq) => {
      if (stopping.signal.aborted) return Promise.resolve()
      const reached = backlog.dropped(seq)
      wake()
      return reached
    },
    attempted: () => (stopping.signal.aborted ? Promise.resolve() : attempt.promise),
    stop: async () => {
      stopping.abort()
      await writing
      backlog.drop(Infinity)
      attempt.resolve()
      await line.close()
    },
  }
}

/** The rows of the oldest waiting batches: as many as fit into one stretch, at least one. */
function foldStretch(waiting: readonly CommittedBatch[], { seq, numbers }: Reached): Stretch {
  const stretch: Stretch = { from: seq, to: seq, at: 0, rows: emptyRows(), numbers: { ...numbers } }
  let size = 0
  for (const batch of waiting) {
    size += batch.changes.reduce((sum, { entry }) => sum + entry.events.length, 0)
    if (stretch.to > seq && size > STRETCH_SIZE) break
    if (batch.seq !== stretch.to + 1)
      throw new Error(`journal row ${stretch.to + 1} never came to the tables`)
    for (const change of batch.changes) projectEntry(stretch.rows, stretch.numbers, change)
    stretch.to = batch.seq
    stretch.at = batch.changes.at(-1)?.entry.at ?? stretch.at
  }
  return stretch
}
