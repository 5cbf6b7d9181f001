import { setTimeout as pause } from 'node:timers/promises'
import type { Quote, State, Host } from '@fairlot/core'
import type { Database } from '../database/open.ts'
import {
  decideBatch,
  refuseBatch,
  UNAVAILABLE,
  type Answer,
  type EngineCommand,
  type Waiting,
} from './batch.ts'
import { keepMemory } from './memory.ts'
import type { Change } from './backlog.ts'
import { createQueue } from './queue.ts'
import { createSignal, type Subscribe } from './signal.ts'

export { isUnavailable, type Answer, type EngineCommand } from './batch.ts'

/** Commands taken into one commit at most, so that the loop breathes between batches. */
const BATCH_SIZE = 500
/** Commands that may wait; beyond it new ones are refused at once. */
const MAX_WAITING = 50_000
/** Entries the tables may be behind before the queue slows down; at twice that, commands are refused. */
const MAX_LAG = 100_000
/** The longest pause between two batches of a queue that is to slow down. */
const SLOW_MS = 100
/** How often the core is told the time, so that pending orders expire. */
const CLOCK_MS = 1_000
/** Every caller has an answer by then, even while the truth about a commit is not to be had. */
const ANSWER_WITHIN_MS = 5_000

/** What a commit changed, for whoever shows or pushes it. */
export type Committed = Change

export type Engine = {
  /**
   * The memory as it stands; read only, and read anew each time: a recovery replaces it. It runs ahead of the journal by
   * the commit under way, and by one that failed while the engine is not ready.
   */
  state(): State
  /** Answers once the change is in the journal. An `Unavailable` is not known to have happened: ask again by the same request id. */
  execute(command: EngineCommand): Promise<Answer>
  /** Takes an accepted tick. It is published once what it fires is in the journal. */
  tick(quote: Quote): void
  /** Resolves once the tables hold everything committed so far; after a failure that is when the memory stands again. Throws after the stop. */
  caughtUp(): Promise<void>
  readonly onCommitted: Subscribe<Committed>
  readonly onQuote: Subscribe<Quote>
  /** False while the memory is being rebuilt, and after the stop. */
  isReady(): boolean
  /** Finishes the batch under way and refuses the rest. */
  stop(): Promise<void>
}

export type EngineOptions = {
  readonly database: Database
  readonly host: Host
  /** Epoch ms on the market clock. */
  readonly now: () => number
  readonly onError: (error: unknown, doing: string) => void
  /** The last prices of the run before. */
  readonly quotes?: readonly Quote[]
  /** Most commands in one commit. */
  readonly batchSize?: number
}

/**
 * The single writer. Takes what has arrived, decides it in memory, commits it as one journal row, and only then answers
 * and publishes. When a commit fails the memory is thrown away and rebuilt from the database.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { now, onError, batchSize = BATCH_SIZE } = options
  const committed = createSignal<Committed>((error) => onError(error, 'telling of a commit'))
  const quoted = createSignal<Quote>((error) => onError(error, 'telling of a price'))
  let isStopped = false

  const runBatch = async (batch: readonly Waiting[]) => {
    const at = Math.max(now(), keeper.head().at, batch[0]?.begunAt ?? 0)
    const { done, changes, rest } = decideBatch(keeper.state(), batch, at)
    if (changes.length > 0 && !(await keeper.commit(changes))) return queue.decideAgain(batch)
    queue.giveBack(rest)
    for (const { waiting } of done) if (waiting.command.type === 'tick') quoted.emit(waiting.command.quote)
    for (const { waiting, answer } of done) waiting.answer?.(answer)
    for (const change of changes) committed.emit(change)
  }

  const runSafely = async (batch: readonly Waiting[]) => {
    const patience = setTimeout(refuseBatch, ANSWER_WITHIN_MS, batch)
    try {
      if (keeper.projector().isAstray()) await keeper.rebuild()
      await runBatch(batch)
    } catch (error) {
      // A bug in deciding may have left the memory half changed. What led to it is not tried again.
      onError(error, 'deciding')
      refuseBatch(batch)
      await keeper.rebuild()
    }
    clearTimeout(patience)
    if (keeper.projector().lag() > MAX_LAG)
      await Promise.race([keeper.projector().attempted(), pause(SLOW_MS)])
  }

  const queue = createQueue({ batchSize, runBatch: runSafely, onRest: () => keeper.projector().wake() })
  const keeper = await keepMemory({ ...options, isQuiet: queue.isQuiet, onLost: queue.refuse })

  const isReady = () => keeper.isOpen() && !isStopped
  const hasRoom = () => queue.length() < MAX_WAITING && keeper.projector().lag() < 2 * MAX_LAG
  const clock = setInterval(() => {
    if (isReady()) queue.push({ command: { type: 'clock' }, answer: null })
  }, CLOCK_MS)

  return {
    state: keeper.state,
    execute: (command) =>
      isReady() && hasRoom()
        ? new Promise((answer) => queue.push({ command, answer }))
        : Promise.resolve(UNAVAILABLE),
    tick: (quote) => {
      if (!isStopped) queue.push({ command: { type: 'tick', quote }, answer: null })
    },
    caughtUp: keeper.caughtUp,
    onCommitted: committed.subscribe,
    onQuote: quoted.subscribe,
    isReady,
    stop: async () => {
      isStopped = true
      clearInterval(clock)
      keeper.stop()
      await queue.stop()
      await keeper.close()
    },
  }
}
