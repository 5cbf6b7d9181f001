import type { Entry, Posting } from '@fairlot/core'
import type { Queries } from '../database/open.ts'
import { emptyRows, projectEntry, type RowNumbers } from './projection-rows.ts'
import { writeRows } from './projection-write.ts'

/** Journal rows folded into the tables in one transaction at most. Small, so that the loop is never long away. */
const ENTRIES_PER_WRITE = 500

export const PROJECTION = 'tables'

/** What a committed batch did, waiting to be written to the tables. */
export type CommittedBatch = {
  readonly seq: number
  readonly entries: readonly { readonly entry: Entry; readonly postings: readonly Posting[] }[]
}

export type Projector = {
  /** Takes a committed batch; writing follows by itself. */
  push(batch: CommittedBatch): void
  /** Entries committed but not yet in the tables. */
  lag(): number
  /** Resolves once the tables hold everything up to a journal row. */
  reached(seq: number): Promise<void>
  /** Resolves after the next write. */
  advanced(): Promise<void>
  /** Stops after the write under way. */
  stop(): Promise<void>
}

/** Lets the tables follow the journal. A failing write is tried again; the journal keeps what waits. */
export function createProjector(
  queries: Queries,
  start: { seq: number; numbers: RowNumbers },
  onError: (error: unknown) => void,
): Projector {
  const waiting: CommittedBatch[] = []
  let listeners: { seq: number; resolve: () => void }[] = []
  let { seq } = start
  let waitingEntries = 0
  let isStopped = false
  let writing: Promise<void> | null = null

  const reached = (wanted: number): Promise<void> =>
    wanted <= seq || isStopped
      ? Promise.resolve()
      : new Promise((resolve) => listeners.push({ seq: wanted, resolve }))

  const settle = () => {
    const done = listeners.filter((listener) => listener.seq <= seq)
    listeners = listeners.filter((listener) => listener.seq > seq)
    for (const listener of done) listener.resolve()
  }

  const writeSome = async () => {
    const rows = emptyRows()
    const numbers = { ...start.numbers }
    let batchCount = 0
    let entryCount = 0
    for (const batch of waiting) {
      if (batchCount > 0 && entryCount + batch.entries.length > ENTRIES_PER_WRITE) break
      for (const change of batch.entries) projectEntry(rows, numbers, change)
      batchCount += 1
      entryCount += batch.entries.length
    }
    const upTo = waiting[batchCount - 1]?.seq ?? seq
    await writeRows(queries, rows, { projection: PROJECTION, seq: upTo })
    // Only what was written counts: a failed attempt leaves the numbers and the queue as they were.
    Object.assign(start.numbers, numbers)
    waiting.splice(0, batchCount)
    waitingEntries -= entryCount
    seq = upTo
  }

  const writeAll = async () => {
    for (let pauseMs = 50; waiting.length > 0 && !isStopped; ) {
      try {
        await writeSome()
        pauseMs = 50
        settle()
      } catch (error) {
        onError(error)
        await pause(pauseMs)
        pauseMs = Math.min(pauseMs * 2, 5_000)
      }
    }
    writing = null
  }

  return {
    push: (batch) => {
      waiting.push(batch)
      waitingEntries += batch.entries.length
      writing ??= writeAll()
    },
    lag: () => waitingEntries,
    reached,
    advanced: () => (waiting.length === 0 ? Promise.resolve() : reached(seq + 1)),
    stop: async () => {
      isStopped = true
      await writing
      for (const listener of listeners) listener.resolve()
    },
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
