import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../../platform/database/open.ts'
import { Backlog, type ProjectionPosition } from './backlog.ts'
import { type PendingBatch } from './committed-batch.ts'
import { createSegmentWriter } from './segment-writer.ts'

/** Most events written in one transaction. On SQLite the whole process waits for it. */
const SEGMENT_SIZE = { sqlite: 250, postgres: 1_000 }

export type Projector = {
  /** Takes a committed batch; it is written in the background. */
  push(batch: PendingBatch): void
  /** Turns batches into rows; call it while the process would only wait. */
  prepare(): void
  /** Writes now if the tables lag behind more than allowed. */
  wake(): void
  /** Events committed but not yet in the tables. */
  lag(): number
  /** Resolves once the tables hold everything up to a journal row. */
  reached(seq: number): Promise<void>
  /** Resolves after the next attempt to write. */
  attempted(): Promise<void>
  /** True when the tables are not where it expects them, for example because another process writes to them. It then stops writing. */
  hasDiverged(): boolean
  /** Stops after the current write and resolves all that wait for the tables. */
  stop(): Promise<void>
}

type ProjectorOptions = {
  readonly database: Database
  readonly start: ProjectionPosition
  /** How many events the tables may currently lag behind before they are written. */
  readonly mayLag: () => number
  readonly onError: (error: unknown) => void
}

/** Writes the journal to the tables in the background. A failed write is repeated. */
export function createProjector({ database, start, mayLag, onError }: ProjectorOptions): Projector {
  const stopping = new AbortController()
  const backlog = new Backlog(start, SEGMENT_SIZE[database.kind])
  const writer = createSegmentWriter(database, onError, stopping.signal)
  let attempt = Promise.withResolvers<void>()
  let writing: Promise<void> | null = null
  let hasDiverged = false

  const mayWrite = () =>
    backlog.eventCount > 0 && !stopping.signal.aborted && (backlog.isAwaited || backlog.eventCount > mayLag())

  const giveUp = (error: unknown) => {
    onError(error)
    hasDiverged = true
    backlog.drop(Infinity)
  }

  const writeNext = async () => {
    const segment = await backlog.take(writer.readAgain)
    if (!segment || stopping.signal.aborted) return
    const result = await writer.write(segment)
    if (result === 'written') backlog.drop(segment.to)
    if (result === 'diverged') giveUp(new Error(`the tables are no longer at journal row ${segment.from}`))
  }

  const writeAll = async () => {
    while (mayWrite()) {
      await writeNext()
      attempt.resolve()
      attempt = Promise.withResolvers()
      await nextTurn()
    }
    writing = null
  }

  const wake = () => {
    if (mayWrite()) writing ??= writeAll().catch(giveUp)
  }

  return {
    push: (batch) => {
      if (hasDiverged) return
      backlog.push(batch)
      wake()
    },
    prepare: () => backlog.fold(),
    wake,
    hasDiverged: () => hasDiverged,
    lag: () => backlog.eventCount,
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
      await writer.close()
    },
  }
}
