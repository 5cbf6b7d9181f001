import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../database/open.ts'
import type { ReadAgain, Segment } from './backlog.ts'
import { readWritten } from '../journal/journal.ts'
import { createReceiptChain } from './receipt-chain.ts'
import { readProjectionPosition, writeSegment } from './projection-write.ts'

const LINE_TERMS = { timeoutMs: 10_000, isDurable: false }
const RETRY_MS = 500

/** `diverged`: the tables are neither where the segment begins nor where it ends. */
export type WriteResult = 'written' | 'failed' | 'diverged'

export type SegmentWriter = {
  /** Writes a segment, or finds out what became of it. Comes back from a failure after a pause, on a new connection. */
  write(segment: Segment): Promise<WriteResult>
  /** Reads journal rows again that were too large to be kept in memory. Null after a failure, and a pause. */
  readonly readAgain: ReadAgain
  /** Cuts the pause short. Called when nothing is being written, or about to be. */
  close(): Promise<void>
}

/** Writes to the tables over a connection of its own. */
export function createSegmentWriter(
  database: Database,
  onError: (error: unknown) => void,
  stopping: AbortSignal,
): SegmentWriter {
  const chain = createReceiptChain()
  let line = database.openLine(LINE_TERMS)

  const openAgain = async () => {
    await pause(RETRY_MS, undefined, { signal: stopping }).catch(() => undefined)
    await line.close()
    line = database.openLine(LINE_TERMS)
  }

  /** The failed write may have taken effect all the same, so the tables are asked where they are. */
  const findOut = async ({ from, to }: Segment): Promise<WriteResult> => {
    await openAgain()
    const { seq } = await readProjectionPosition(line.queries)
    if (seq === to) return 'written'
    return seq === from ? 'failed' : 'diverged'
  }

  const failed = (error: unknown): WriteResult => {
    onError(error)
    return 'failed'
  }

  return {
    write: async (segment) => {
      try {
        const receipts = await chain.seal(line.queries, segment.rows.proofs)
        await writeSegment(database, line.queries, segment, receipts)
        return 'written'
      } catch (error) {
        chain.forget()
        onError(error)
        return await findOut(segment).catch(failed)
      }
    },
    readAgain: async (first, last) => {
      try {
        return await readWritten(line.queries, first, last)
      } catch (error) {
        onError(error)
        await openAgain()
        return null
      }
    },
    close: () => line.close(),
  }
}
