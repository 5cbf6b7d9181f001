import { setTimeout as pause } from 'node:timers/promises'
import { hasDueWork, type Core } from '@fairlot/core'
import {
  decideInto,
  hasDeadline,
  newBatch,
  undecidedAnswer,
  answerUnavailable,
  isRowOpen,
  ticksOf,
  type Batch,
} from './batch.ts'
import type { EngineStore } from './engine-store.ts'
import { type Answer, createQueue, type PendingCommand, UNAVAILABLE } from './queue.ts'

/** Deadline for the decision of a command. */
const DECIDE_WITHIN_MS = 4_000
/** Interval at which the queue is checked for overdue commands. */
const OVERDUE_CHECK_MS = 200
/** Every caller has an answer by then, even while the outcome of a commit is unknown. */
const ANSWER_WITHIN_MS = 5_000
/** Events the tables may lag behind while commands wait for their commit. */
const BUSY_LAG = 50_000
/** The same while a tick is unfinished: all commands wait for it, so writing the tables can wait longer. */
const UNFINISHED_TICK_LAG = 200_000
/** Events the tables may lag behind before the queue slows down: more than one price gap in all instruments causes. */
export const MAX_LAG = 250_000
/** Slices of due work that may be ahead of the tables: as many as one transaction writes. */
export const SLICES_AHEAD = 10
/** The longest pause between two batches while the queue is slowed down. */
const SLOW_MS = 100

type WriterOptions = {
  /** A function, since the store needs the writer as well. */
  readonly store: () => EngineStore
  /** Epoch ms on the market clock. */
  readonly now: () => number
  readonly batchSize: number
  /** Answers and publishes a committed batch. */
  readonly publish: (batch: Batch) => void
  readonly onError: (error: unknown, doing: string) => void
}

/** A batch that waits for copies to follow, and the memory that it was decided in. */
type OpenBatch = { readonly batch: Batch; readonly core: Core; readonly since: number }

/** A batch whose commit is in progress. */
type PendingCommit = { readonly batch: Batch; readonly since: number; readonly finished: Promise<void> }

/**
 * The loop of the single writer: decides the commands that have arrived, commits them, and then publishes them. A batch is
 * what arrived during the commit of the batch before.
 */
export class Writer {
  readonly #options: WriterOptions
  readonly #queue = createQueue()
  readonly #overdue = setInterval(() => this.#refuseOverdue(), OVERDUE_CHECK_MS)
  #pendingCommit: PendingCommit | null = null
  #openBatch: OpenBatch | null = null
  #lastAt = 0
  #isScheduled = false
  /** Nothing is decided while the tables catch up or the memory is rebuilt. */
  #isPaused = false
  #isStopped = false
  /** A slice of due work is in the queue or waits for the tables; only one at a time. */
  #isDueWorkQueued = false
  /** The journal rows of the last slices of due work, the oldest first. */
  #dueWorkRows: readonly number[] = Array.from({ length: SLICES_AHEAD }, () => 0)

  constructor(options: WriterOptions) {
    this.#options = options
  }

  get waitingCount(): number {
    return this.#queue.length()
  }

  /** True while nothing waits and no commit is in progress. */
  get isQuiet(): boolean {
    return !this.#pendingCommit && !this.#openBatch && this.#queue.length() === 0
  }

  /** How many events the tables may currently lag behind before they are written. */
  get mayLag(): number {
    if (this.isQuiet) return 0
    return this.#store.core.unfinished ? UNFINISHED_TICK_LAG : BUSY_LAG
  }

  push(waiting: PendingCommand): void {
    this.#queue.push(waiting)
    this.#schedule()
  }

  /** Resolves once everything in memory now is in the journal; false if that may fail. */
  committed(): Promise<boolean> {
    // Never both: while a batch is open, none before it is being committed.
    const uncommitted = this.#pendingCommit ?? this.#openBatch
    if (!uncommitted) return Promise.resolve(true)
    const { batch, since } = uncommitted
    if (performance.now() - since > ANSWER_WITHIN_MS) return Promise.resolve(false)
    return new Promise((resolve) => batch.readers.push(resolve))
  }

  /** Refuses commands with a deadline; ticks stay in the queue. */
  refuse(): void {
    this.#refuseAll(this.#queue.takeOut(hasDeadline))
  }

  /** Finishes the commit in progress and rejects the rest. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#overdue)
    await this.#pendingCommit?.finished
    if (this.#openBatch) answerUnavailable(this.#openBatch.batch)
    this.#openBatch = null
    for (const { answer } of this.#queue.takeOut(hasDeadline)) answer?.(UNAVAILABLE)
  }

  get #store(): EngineStore {
    return this.#options.store()
  }

  #mayDecide(): boolean {
    return !this.#pendingCommit && !this.#isPaused && !this.#isStopped && this.#store.isOpen
  }

  #schedule(): void {
    const hasWork = this.#openBatch !== null || this.#queue.length() > 0
    if (this.#isScheduled || !hasWork || !this.#mayDecide()) return
    this.#isScheduled = true
    // One turn of the event loop: everything that has arrived gets into the batch, and other work gets to run.
    setImmediate(() => this.#decideNext())
  }

  #decideNext(): void {
    this.#isScheduled = false
    if (!this.#mayDecide()) return
    if (this.#store.projector.hasDiverged()) return void this.#pauseFor(() => this.#store.rebuild())
    const batch = this.#takeOpenBatch() ?? newBatch()
    try {
      this.#decide(batch)
    } catch (error) {
      // A bug may have left the memory half changed, so it is rebuilt; the command is not tried again.
      this.#options.onError(error, 'deciding')
      this.#discard(batch)
      return void this.#pauseFor(() => this.#store.rebuild())
    }
    const { core } = this.#store
    if (isRowOpen(core)) {
      // The next turn continues: in between, sockets and files get their turn.
      this.#openBatch = { batch, core, since: performance.now() }
      return this.#schedule()
    }
    if (batch.changes.length > 0)
      this.#pendingCommit = { batch, since: performance.now(), finished: this.#commit(batch) }
    else {
      this.#publish(batch)
      // A slice of due work that found nothing commits nothing, but more slices may follow.
      this.#queueDueWork()
    }
    this.#continue()
  }

  /** The batch that waits for copies; one of a memory that was rebuilt since is dropped. */
  #takeOpenBatch(): Batch | null {
    const open = this.#openBatch
    this.#openBatch = null
    if (!open || open.core === this.#store.core) return open?.batch ?? null
    this.#discard(open.batch)
    return null
  }

  #decide(batch: Batch): void {
    const { now, batchSize } = this.#options
    this.#lastAt = Math.max(now(), this.#lastAt, this.#store.head.at)
    const moment = { at: this.#lastAt, arrivedAfter: performance.now() - DECIDE_WITHIN_MS }
    const { core, head } = this.#store
    core.journalRow = head.seq + 1
    decideInto(batch, this.#queue, core, moment, batchSize)
  }

  async #commit(batch: Batch): Promise<void> {
    const timeout = setTimeout(() => answerUnavailable(batch), ANSWER_WITHIN_MS)
    const isCommitted = await this.#store.commit(batch)
    clearTimeout(timeout)
    this.#pendingCommit = null
    if (isCommitted) this.#publish(batch)
    else this.#discard(batch)
    this.#queueDueWork()
    if (this.#store.projector.lag() > MAX_LAG) void this.#pauseFor(() => this.#letTablesCatchUp())
    this.#continue()
  }

  #continue(): void {
    this.#schedule()
    // After a turn of the event loop, since answered callers may send more commands.
    setImmediate(() => this.#writeTablesWhenIdle())
  }

  #writeTablesWhenIdle(): void {
    if (this.isQuiet) this.#store.projector.wake()
  }

  #publish(batch: Batch): void {
    this.#options.publish(batch)
    for (const answerReader of batch.readers) answerReader(true)
  }

  /** Drops a failed batch; its ticks are decided again. */
  #discard(batch: Batch): void {
    this.#queue.putBack(ticksOf(batch))
    answerUnavailable(batch)
  }

  /** Pauses the queue during some work. */
  async #pauseFor(work: () => Promise<unknown>): Promise<void> {
    this.#isPaused = true
    await work()
    this.#isPaused = false
    this.#continue()
  }

  #letTablesCatchUp(): Promise<void> {
    return Promise.race([this.#store.projector.attempted(), pause(SLOW_MS)])
  }

  /**
   * Queues the next slice of due work behind waiting commands, but only as fast as the tables follow: it waits until they
   * hold the slice `SLICES_AHEAD` before it. This limits memory, so that garbage collection does not delay orders.
   */
  #queueDueWork(): void {
    const { isOpen, core, projector } = this.#store
    if (this.#isStopped || this.#isDueWorkQueued || !isOpen || !hasDueWork(core, this.#lastAt)) return
    this.#isDueWorkQueued = true
    const [oldest = 0, ...others] = this.#dueWorkRows
    const answer = (given: Answer) => {
      this.#isDueWorkQueued = false
      const isCommitted = 'entry' in given && given.entry.events.length > 0
      if (isCommitted) this.#dueWorkRows = [...others, this.#store.head.seq]
    }
    void projector
      .reached(oldest)
      .then(() => this.push({ command: { type: 'clock' }, answer, arrivedAt: performance.now() }))
  }

  #refuseOverdue(): void {
    const arrivedBefore = performance.now() - DECIDE_WITHIN_MS
    const isOverdue = (one: PendingCommand) => hasDeadline(one) && one.arrivedAt <= arrivedBefore
    if (this.#queue.length() > 0) this.#refuseAll(this.#queue.takeOut(isOverdue))
  }

  #refuseAll(waiting: readonly PendingCommand[]): void {
    for (const { answer, command } of waiting) answer?.(undecidedAnswer(this.#store.state, command))
  }
}
