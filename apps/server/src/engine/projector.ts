import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../database/open.ts'
import { Backlog, type Reached } from './backlog.ts'
import type { PendingBatch } from './committed.ts'
import { createStretchWriter } from './stretch-writer.ts'

/** Events written in one transaction. On SQLite the whole process waits for it. */
const STRETCH_SIZE = { sqlite: 250, postgres: 1_000 }
/** While orders wait for their commit the tables stand back, until they are this many events behind. */
const BURST_SIZE = 50_000

export type Projector = {
  /** Takes a committed batch; writing follows by itself. */
  push(batch: PendingBatch): void
  /** Prepares what it has taken; for moments at which the process would only wait. */
  prepare(): void
  /** Tells that the queue has come to rest. */
  wake(): void
  /** Events committed but not yet in the tables. */
  lag(): number
  /** Resolves once the tables hold everything up to a journal row. */
  reached(seq: number): Promise<void>
  /** Resolves after the next attempt to write. */
  attempted(): Promise<void>
  /** True when it has lost its way, such as by another process that writes to the tables. It then writes no more. */
  isAstray(): boolean
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
  const backlog = new Backlog(start, STRETCH_SIZE[database.kind])
  const writer = createStretchWriter(database, onError, stopping.signal)
  let attempt = Promise.withResolvers<void>()
  let writing: Promise<void> | null = null
  let isAstray = false

  const mayWrite = () =>
    backlog.eventCount > 0 &&
    !stopping.signal.aborted &&
    (isQuiet() || backlog.isAwaited || backlog.eventCount > BURST_SIZE)

  const giveUp = (error: unknown) => {
    onError(error)
    isAstray = true
    backlog.drop(Infinity)
  }

  const writeNext = async () => {
    const stretch = await backlog.take(writer.readAgain)
    if (!stretch || stopping.signal.aborted) return
    const result = await writer.write(stretch)
    if (result === 'written') backlog.drop(stretch.to)
    if (result === 'astray') giveUp(new Error(`the tables are no longer at journal row ${stretch.from}`))
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
      if (isAstray) return
      backlog.push(batch)
      wake()
    },
    prepare: () => backlog.fold(),
    wake,
    isAstray: () => isAstray,
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
