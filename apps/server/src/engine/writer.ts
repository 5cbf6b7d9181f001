import { setTimeout as pause } from 'node:timers/promises'
import { hasDueWork } from '@fairlot/core'
import {
  decideInto,
  isAsked,
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
  /** Tells of a batch that is in the journal. */
  readonly publish: (batch: Batch) => void
  readonly onError: (error: unknown, doing: string) => void
}

/** A batch whose commit is under way. */
type Flight = { readonly batch: Batch; readonly since: number; readonly landed: Promise<void> }

/** The loop of the single writer. A batch is what arrived while the commit of the last one was under way. */
export function createWriter(options: WriterOptions): Writer {
  const { keeper, now, batchSize, publish, onError } = options
  const queue = createQueue()
  let flight: Flight | null = null
  let lastAt = 0
  let isScheduled = false
  /** Nothing is decided while the tables catch up, or the memory is rebuilt. */
  let isHeld = false
  let isStopped = false

  const mayDecide = () => !flight && !isHeld && !isStopped && keeper().isOpen()

  const schedule = () => {
    if (isScheduled || queue.length() === 0 || !mayDecide()) return
    isScheduled = true
    // A turn of the loop lets everything that has arrived into the batch, and everybody else have a turn.
    setImmediate(turn)
  }

  const turn = () => {
    isScheduled = false
    if (!mayDecide()) return
    if (keeper().projector().isAstray()) return void hold(keeper().rebuild)
    const batch = newBatch()
    try {
      decide(batch)
    } catch (error) {
      // A bug in deciding may have left the memory half changed. What led to it is not tried again.
      onError(error, 'deciding')
      discard(batch)
      return void hold(keeper().rebuild)
    }
    if (batch.changes.length > 0) flight = { batch, since: performance.now(), landed: land(batch) }
    else tell(batch)
    schedule()
    setImmediate(rest)
  }

  const decide = (batch: Batch) => {
    lastAt = Math.max(now(), lastAt, keeper().head().at)
    const moment = { at: lastAt, arrivedAfter: performance.now() - DECIDE_WITHIN_MS }
    const state = keeper().state()
    state.journalRow = keeper().head().seq + 1
    decideInto(batch, queue, state, moment, batchSize)
  }

  const land = async (batch: Batch) => {
    const patience = setTimeout(() => refuseBatch(batch), ANSWER_WITHIN_MS)
    const isCommitted = await keeper().commit(batch)
    clearTimeout(patience)
    flight = null
    if (isCommitted) tell(batch)
    else discard(batch)
    offerDueWork()
    if (keeper().projector().lag() > MAX_LAG) void hold(letTablesCatchUp)
    schedule()
    // Whoever was answered may have more to ask before the queue comes to rest.
    setImmediate(rest)
  }

  const tell = (batch: Batch) => {
    publish(batch)
    for (const tellLooker of batch.lookers) tellLooker(true)
  }

  /** Forgets what came to nothing; its ticks are decided again. */
  const discard = (batch: Batch) => {
    queue.putBack(ticksOf(batch))
    refuseBatch(batch)
  }

  /** Holds the queue while something is set right. */
  const hold = async (work: () => Promise<unknown>) => {
    isHeld = true
    await work()
    isHeld = false
    schedule()
    rest()
  }

  const letTablesCatchUp = () => Promise.race([keeper().projector().attempted(), pause(SLOW_MS)])

  /** Behind whoever waits, and only as fast as the tables follow. */
  const offerDueWork = () => {
    if (keeper().isOpen() && hasDueWork(keeper().state()) && keeper().projector().lag() <= MAX_LAG)
      push({ command: { type: 'clock' }, answer: null, arrivedAt: performance.now() })
  }

  const isQuiet = () => !flight && queue.length() === 0
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
      if (!flight) return Promise.resolve(true)
      const { batch, since } = flight
      if (performance.now() - since > ANSWER_WITHIN_MS) return Promise.resolve(false)
      return new Promise((resolve) => batch.lookers.push(resolve))
    },
    refuse: () => refuseAll(queue.takeOut(isAsked)),
    waitingCount: queue.length,
    isQuiet,
    stop: async () => {
      isStopped = true
      clearInterval(overdue)
      await flight?.landed
      for (const { answer } of queue.takeOut(isAsked)) answer?.(UNAVAILABLE)
      keeper().projector().wake()
    },
  }
}
