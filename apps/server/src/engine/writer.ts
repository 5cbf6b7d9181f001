import { setTimeout as pause } from 'node:timers/promises'
import type { State } from '@fairlot/core'
import {
  decideInto,
  isAsked,
  isEmpty,
  isFull,
  newBatch,
  refusalOf,
  refuseBatch,
  ticksOf,
  UNAVAILABLE,
  type Batch,
  type Waiting,
} from './batch.ts'
import type { Keeper } from './memory.ts'
import { createQueue } from './queue.ts'

/** A command that has waited longer is never decided. */
const DECIDE_WITHIN_MS = 4_000
/** How often it is looked for those. */
const OVERDUE_LOOK_MS = 200
/** Every caller has an answer by then, even while the truth about a commit is not to be had. */
const ANSWER_WITHIN_MS = 5_000
/** While a commit takes longer nothing more is decided on top of it: it may come to nothing. */
const STALL_MS = 500
/** Commands that go into a commit while none is under way: the others are decided while the database works. */
const FIRST_COMMANDS = 16
/** Events the tables may be behind before the queue slows down. */
export const MAX_LAG = 100_000
/** The longest pause between two batches of a queue that is to slow down. */
const SLOW_MS = 100

/** What runs the queue: decides what has arrived, commits it, and then tells. */
export type Writer = {
  push(waiting: Waiting): void
  /** Resolves once all that the memory holds now is in the journal; false when it may come to nothing. */
  held(): Promise<boolean>
  /** Refuses what users wait for; ticks go on waiting. */
  refuse(): void
  waitingCount(): number
  /** True while nothing waits and no commit is under way. */
  isQuiet(): boolean
  /** Ends with what has been decided, and refuses the rest. */
  stop(): Promise<void>
}

type WriterOptions = {
  /** Asked anew each time: the keeper needs the writer, too. */
  readonly keeper: () => Keeper
  /** Epoch ms on the market clock. */
  readonly now: () => number
  readonly batchSize: number
  /** True when there is more for the clock to do. */
  readonly hasDueWork: (state: State) => boolean
  /** Tells of a batch that is in the journal. */
  readonly publish: (batch: Batch) => void
  readonly onError: (error: unknown, doing: string) => void
}

type Flight = { readonly batch: Batch; readonly since: number; readonly landed: Promise<void> }

/**
 * The loop of the single writer. While one commit is under way the next batch is decided on top of it; when the commit comes to
 * nothing, so does all that was decided on top.
 */
export function createWriter(options: WriterOptions): Writer {
  const { keeper, now, batchSize, hasDueWork, publish, onError } = options
  const queue = createQueue()
  let open = newBatch()
  let flight: Flight | null = null
  let lastAt = 0
  let isScheduled = false
  /** Nothing is decided while the tables catch up, or the memory is rebuilt. */
  let isHeld = false
  let isStopped = false

  const isStalled = () => flight !== null && performance.now() - flight.since > STALL_MS
  const mayDecide = () =>
    !isHeld &&
    !isStopped &&
    !isStalled() &&
    !isFull(open) &&
    open.done.length < batchSize &&
    keeper().isOpen()

  const schedule = () => {
    if (isScheduled || queue.length() === 0 || !mayDecide()) return
    isScheduled = true
    // A turn of the loop lets everything that has arrived into the batch, and everybody else have a turn.
    setImmediate(turn)
  }

  const turn = () => {
    isScheduled = false
    if (!mayDecide()) return
    if (keeper().projector().isAstray()) return void begin(recover)
    try {
      decide()
    } catch (error) {
      // A bug in deciding may have left the memory half changed. What led to it is not tried again.
      onError(error, 'deciding')
      return void begin(recover)
    }
    if (!flight) launch()
    schedule()
    rest()
  }

  const decide = () => {
    lastAt = Math.max(now(), lastAt, keeper().head().at)
    const moment = { at: lastAt, arrivedAfter: performance.now() - DECIDE_WITHIN_MS }
    const most = flight ? batchSize - open.done.length : Math.min(FIRST_COMMANDS, batchSize)
    decideInto(open, queue, keeper().state(), moment, most)
  }

  /** Sends off what has been decided. Where nothing has changed there is nothing to wait for. */
  const launch = () => {
    const batch = open
    if (isEmpty(batch)) return
    open = newBatch()
    if (batch.changes.length === 0) return tell(batch)
    flight = { batch, since: performance.now(), landed: land(batch) }
  }

  const land = async (batch: Batch) => {
    const patience = setTimeout(() => {
      refuseBatch(batch)
      refuseBatch(open)
    }, ANSWER_WITHIN_MS)
    const outcome = await keeper().commit(batch)
    clearTimeout(patience)
    flight = null
    if (outcome !== 'committed') discard(outcome === 'lost' ? [batch, open] : [open])
    // The database first: it works while the answers are written.
    launch()
    if (outcome !== 'lost') tell(batch)
    if (outcome === 'committed') offerDueWork()
    if (keeper().projector().lag() > MAX_LAG) void begin(letTablesCatchUp)
    schedule()
    rest()
  }

  const tell = (batch: Batch) => {
    publish(batch)
    for (const tellLooker of batch.lookers) tellLooker(true)
  }

  /** Forgets what came to nothing; its ticks are decided again. */
  const discard = (batches: readonly Batch[]) => {
    open = newBatch()
    queue.putBack(batches.flatMap(ticksOf))
    for (const batch of batches) refuseBatch(batch)
  }

  /** Holds the queue while something is set right. */
  const begin = async (work: () => Promise<unknown>) => {
    if (isHeld) return
    isHeld = true
    await work()
    isHeld = false
    schedule()
    rest()
  }

  const recover = async () => {
    discard([open])
    await flight?.landed
    await keeper().rebuild()
  }

  const letTablesCatchUp = () => Promise.race([keeper().projector().attempted(), pause(SLOW_MS)])

  /** Behind whoever waits, and only as fast as the tables follow. */
  const offerDueWork = () => {
    if (hasDueWork(keeper().state()) && keeper().projector().lag() <= MAX_LAG)
      push({ command: { type: 'clock' }, answer: null, arrivedAt: performance.now() })
  }

  const isQuiet = () => !flight && isEmpty(open) && queue.length() === 0
  const rest = () => {
    if (isQuiet()) keeper().projector().wake()
  }

  const push = (waiting: Waiting) => {
    queue.push(waiting)
    schedule()
  }

  const refuseAll = (waiting: readonly Waiting[]) => {
    for (const { answer, command } of waiting) answer?.(refusalOf(keeper().state(), command))
  }
  const overdue = setInterval(() => {
    const arrivedBefore = performance.now() - DECIDE_WITHIN_MS
    if (queue.length() > 0) refuseAll(queue.takeOut((one) => isAsked(one) && one.arrivedAt <= arrivedBefore))
  }, OVERDUE_LOOK_MS)

  return {
    push,
    held: () => {
      const last = isEmpty(open) ? flight?.batch : open
      if (!last) return Promise.resolve(true)
      if (flight && performance.now() - flight.since > ANSWER_WITHIN_MS) return Promise.resolve(false)
      return new Promise((resolve) => last.lookers.push(resolve))
    },
    refuse: () => refuseAll(queue.takeOut(isAsked)),
    waitingCount: queue.length,
    isQuiet,
    stop: async () => {
      isStopped = true
      clearInterval(overdue)
      while (flight) await flight.landed
      for (const { answer } of queue.takeOut(isAsked)) answer?.(UNAVAILABLE)
    },
  }
}
