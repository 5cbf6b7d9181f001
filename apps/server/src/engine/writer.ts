import { setTimeout as pause } from 'node:timers/promises'
import { hasDueWork } from '@fairlot/core'
import { decideInto, isAsked, newBatch, refusalOf, refuseBatch, ticksOf, type Batch } from './batch.ts'
import type { EngineStore } from './engine-store.ts'
import { createQueue } from './queue.ts'
import { UNAVAILABLE, type Answer, type PendingCommand } from './pending-command.ts'

/** A command that has waited longer is never decided. */
const DECIDE_WITHIN_MS = 4_000
/** How often the queue is checked for overdue commands. */
const OVERDUE_LOOK_MS = 200
/** Every caller has an answer by then, even while the truth about a commit is not to be had. */
const ANSWER_WITHIN_MS = 5_000
/** While commands wait for their commit the tables stand back, until they are this many events behind. */
const BUSY_LAG = 50_000
/** The same while a tick has more to do: everybody waits for its end, and who reads the tables only for what it did. */
const UNDERWAY_LAG = 200_000
/** Events the tables may be behind before the queue slows down: more than one gap in all prices brings. */
export const MAX_LAG = 250_000
/** Slices of due work that may be ahead of the tables: as much as the tables take in one transaction. */
export const SLICES_AHEAD = 10
/** The longest pause between two batches of a queue that is to slow down. */
const SLOW_MS = 100

type WriterOptions = {
  /** Asked anew each time: the store needs the writer, too. */
  readonly store: () => EngineStore
  /** Epoch ms on the market clock. */
  readonly now: () => number
  readonly batchSize: number
  /** Tells of a batch that is in the journal. */
  readonly publish: (batch: Batch) => void
  readonly onError: (error: unknown, doing: string) => void
}

/** A batch whose commit is under way. */
type Flight = { readonly batch: Batch; readonly since: number; readonly landed: Promise<void> }

/**
 * The loop of the single writer: decides what has arrived, commits it, and then publishes it. A batch is what arrived while the commit of
 * the last one was under way.
 */
export class Writer {
  readonly #options: WriterOptions
  readonly #queue = createQueue()
  readonly #overdue = setInterval(() => this.#refuseOverdue(), OVERDUE_LOOK_MS)
  #flight: Flight | null = null
  #lastAt = 0
  #isScheduled = false
  /** Nothing is decided while the tables catch up, or the memory is rebuilt. */
  #isHeld = false
  #isStopped = false
  /** A slice of due work is in the queue or waits for the tables: one at a time. */
  #isDueWorkAhead = false
  /** The journal rows of the last slices of due work, the oldest first. */
  #dueWorkRows: readonly number[] = Array.from({ length: SLICES_AHEAD }, () => 0)

  constructor(options: WriterOptions) {
    this.#options = options
  }

  get waitingCount(): number {
    return this.#queue.length()
  }

  /** True while nothing waits and no commit is under way. */
  get isQuiet(): boolean {
    return !this.#flight && this.#queue.length() === 0
  }

  /** How many events the tables may be behind now before they are written. */
  get mayLag(): number {
    if (this.isQuiet) return 0
    return this.#store.core.underway ? UNDERWAY_LAG : BUSY_LAG
  }

  push(waiting: PendingCommand): void {
    this.#queue.push(waiting)
    this.#schedule()
  }

  /** Resolves once all that the memory holds now is in the journal; false when it may come to nothing. */
  held(): Promise<boolean> {
    if (!this.#flight) return Promise.resolve(true)
    const { batch, since } = this.#flight
    if (performance.now() - since > ANSWER_WITHIN_MS) return Promise.resolve(false)
    return new Promise((resolve) => batch.readers.push(resolve))
  }

  /** Refuses what users wait for; ticks go on waiting. */
  refuse(): void {
    this.#refuseAll(this.#queue.takeOut(isAsked))
  }

  /** Ends with what has been decided, and refuses the rest. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#overdue)
    await this.#flight?.landed
    for (const { answer } of this.#queue.takeOut(isAsked)) answer?.(UNAVAILABLE)
  }

  get #store(): EngineStore {
    return this.#options.store()
  }

  #mayDecide(): boolean {
    return !this.#flight && !this.#isHeld && !this.#isStopped && this.#store.isOpen
  }

  #schedule(): void {
    if (this.#isScheduled || this.#queue.length() === 0 || !this.#mayDecide()) return
    this.#isScheduled = true
    // A turn of the loop lets everything that has arrived into the batch, and everybody else have a turn.
    setImmediate(() => this.#turn())
  }

  #turn(): void {
    this.#isScheduled = false
    if (!this.#mayDecide()) return
    if (this.#store.projector.hasDiverged()) return void this.#hold(() => this.#store.rebuild())
    const batch = newBatch()
    try {
      this.#decide(batch)
    } catch (error) {
      // A bug in deciding may have left the memory half changed. What led to it is not tried again.
      this.#options.onError(error, 'deciding')
      this.#discard(batch)
      return void this.#hold(() => this.#store.rebuild())
    }
    if (batch.changes.length > 0)
      this.#flight = { batch, since: performance.now(), landed: this.#land(batch) }
    else {
      this.#tell(batch)
      // A slice of due work that found nothing commits nothing, and is not the last one.
      this.#offerDueWork()
    }
    this.#goOn()
  }

  #decide(batch: Batch): void {
    const { now, batchSize } = this.#options
    this.#lastAt = Math.max(now(), this.#lastAt, this.#store.head.at)
    const moment = { at: this.#lastAt, arrivedAfter: performance.now() - DECIDE_WITHIN_MS }
    const { core, head } = this.#store
    core.journalRow = head.seq + 1
    decideInto(batch, this.#queue, core, moment, batchSize)
  }

  async #land(batch: Batch): Promise<void> {
    const patience = setTimeout(() => refuseBatch(batch), ANSWER_WITHIN_MS)
    const isCommitted = await this.#store.commit(batch)
    clearTimeout(patience)
    this.#flight = null
    if (isCommitted) this.#tell(batch)
    else this.#discard(batch)
    this.#offerDueWork()
    if (this.#store.projector.lag() > MAX_LAG) void this.#hold(() => this.#letTablesCatchUp())
    this.#goOn()
  }

  #goOn(): void {
    this.#schedule()
    // Whoever was answered may have more to ask before the queue comes to rest.
    setImmediate(() => this.#rest())
  }

  #rest(): void {
    if (this.isQuiet) this.#store.projector.wake()
  }

  #tell(batch: Batch): void {
    this.#options.publish(batch)
    for (const answerReader of batch.readers) answerReader(true)
  }

  /** Forgets what came to nothing; its ticks are decided again. */
  #discard(batch: Batch): void {
    this.#queue.putBack(ticksOf(batch))
    refuseBatch(batch)
  }

  /** Holds the queue while something is set right. */
  async #hold(work: () => Promise<unknown>): Promise<void> {
    this.#isHeld = true
    await work()
    this.#isHeld = false
    this.#goOn()
  }

  #letTablesCatchUp(): Promise<void> {
    return Promise.race([this.#store.projector.attempted(), pause(SLOW_MS)])
  }

  /**
   * Behind whoever waits, and only as fast as the tables follow: a slice waits until they hold the one that is so many before it. So little
   * of it lies in memory that the garbage collector does not hold orders up.
   */
  #offerDueWork(): void {
    const { isOpen, core, projector } = this.#store
    if (this.#isStopped || this.#isDueWorkAhead || !isOpen || !hasDueWork(core, this.#lastAt)) return
    this.#isDueWorkAhead = true
    const [oldest = 0, ...others] = this.#dueWorkRows
    const answer = (given: Answer) => {
      this.#isDueWorkAhead = false
      const isCommitted = 'entry' in given && given.entry.events.length > 0
      if (isCommitted) this.#dueWorkRows = [...others, this.#store.head.seq]
    }
    void projector
      .reached(oldest)
      .then(() => this.push({ command: { type: 'clock' }, answer, arrivedAt: performance.now() }))
  }

  #refuseOverdue(): void {
    const arrivedBefore = performance.now() - DECIDE_WITHIN_MS
    const isOverdue = (one: PendingCommand) => isAsked(one) && one.arrivedAt <= arrivedBefore
    if (this.#queue.length() > 0) this.#refuseAll(this.#queue.takeOut(isOverdue))
  }

  #refuseAll(waiting: readonly PendingCommand[]): void {
    for (const { answer, command } of waiting) answer?.(refusalOf(this.#store.state, command))
  }
}
