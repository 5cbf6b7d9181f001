import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../database/open.ts'
import type { ReadAgain, Stretch } from './backlog.ts'
import { readWritten } from './journal.ts'
import { createReceiptChain } from './receipt-chain.ts'
import { readReached, writeStretch } from './projection-write.ts'

const LINE_TERMS = { timeoutMs: 10_000, isDurable: false }
const RETRY_MS = 500

/** `astray`: the tables are neither where the stretch begins nor where it ends. */
export type WriteResult = 'written' | 'failed' | 'astray'

export type StretchWriter = {
  /** Writes a stretch, or finds out what became of it. Comes back from a failure after a pause, on a new connection. */
  write(stretch: Stretch): Promise<WriteResult>
  /** Reads what is too much to be kept. Null after a failure, and a pause. */
  readonly readAgain: ReadAgain
  /** Cuts the pause short. Called when nothing is being written, or about to be. */
  close(): Promise<void>
}

/** Writes to the tables over a connection of its own. */
export function createStretchWriter(
  database: Database,
  onError: (error: unknown) => void,
  stopping: AbortSignal,
): StretchWriter {
  const chain = createReceiptChain()
  let line = database.openLine(LINE_TERMS)

  const openAgain = async () => {
    await pause(RETRY_MS, undefined, { signal: stopping }).catch(() => undefined)
    await line.close()
    line = database.openLine(LINE_TERMS)
  }

  /** The failed write may have taken effect all the same, so the tables are asked where they are. */
  const findOut = async ({ from, to }: Stretch): Promise<WriteResult> => {
    await openAgain()
    const { seq } = await readReached(line.queries)
    if (seq === to) return 'written'
    return seq === from ? 'failed' : 'astray'
  }

  const failed = (error: unknown): WriteResult => {
    onError(error)
    return 'failed'
  }

  return {
    write: async (stretch) => {
      try {
        const receipts = await chain.seal(line.queries, stretch.rows.proofs)
        await writeStretch(database, line.queries, stretch, receipts)
        return 'written'
      } catch (error) {
        chain.forget()
        onError(error)
        return await findOut(stretch).catch(failed)
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
