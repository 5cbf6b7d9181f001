import {
  isRejection,
  transact,
  type Command,
  type Entry,
  type Outcome,
  type Posting,
  type Quote,
  type Rejection,
  type State,
  type World,
} from '@fairlot/core'
import type { Queries } from '../database/open.ts'
import { appendBatch, hasBatch, type JournalHead } from './journal.ts'
import { createProjector, type CommittedBatch, type Projector } from './projector.ts'
import { restore } from './restore.ts'
import { createSignal, type Subscribe } from './signal.ts'

/** Commands taken into one commit at most, so that the loop breathes between batches. */
const BATCH_SIZE = 1_000
/** Commands that may wait; beyond it new ones are refused at once. */
const MAX_WAITING = 50_000
/** Entries the tables may be behind before the queue slows down. */
const MAX_LAG = 20_000
/** How often the core is told the time, so that pending orders expire. */
const CLOCK_MS = 1_000

/** The engine could not commit; nothing is known to have happened. */
export type Unavailable = { readonly unavailable: true }
export const isUnavailable = (answer: object): answer is Unavailable => 'unavailable' in answer

type WithoutTime<C> = C extends Command ? Omit<C, 'at'> : never
/** A command before the engine stamps it with the time at which it is decided. */
export type EngineCommand = WithoutTime<Exclude<Command, { type: 'tick' | 'clock' }>>

export type Answer = Outcome | Rejection | Unavailable

/** What a commit changed, for whoever shows or pushes it. */
export type Committed = { readonly entry: Entry; readonly postings: readonly Posting[] }

export type Engine = {
  /** The memory as it stands; read only, and read anew each time: a recovery replaces it. */
  state(): State
  execute(command: EngineCommand): Promise<Answer>
  /** Takes an accepted tick. */
  tick(quote: Quote): void
  /** Resolves once the tables hold everything committed so far. */
  caughtUp(): Promise<void>
  readonly onCommitted: Subscribe<Committed>
  readonly onQuote: Subscribe<Quote>
  isReady(): boolean
  stop(): Promise<void>
}

type Waiting = { readonly command: WithoutTime<Command>; readonly answer: ((answer: Answer) => void) | null }
type Answered = { readonly answer: ((answer: Answer) => void) | null; readonly result: Answer }

export type EngineOptions = {
  readonly queries: Queries
  readonly world: World
  /** Epoch ms on the market clock. */
  readonly now: () => number
  readonly onError: (error: unknown, doing: string) => void
}

/**
 * The single writer. Takes what has arrived, decides it in memory, commits it as one journal row, and only then answers
 * and publishes. When a commit fails the memory is thrown away and rebuilt from the database.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { queries, world, onError } = options
  const committed = createSignal<Committed>()
  const quoted = createSignal<Quote>()
  let queue: Waiting[] = []
  let running: Promise<void> | null = null
  let isStopped = false
  let isReady = false
  let state: State
  let head: JournalHead
  let projector: Projector

  const load = async () => {
    const restored = await restore(queries, world)
    state = restored.state
    head = restored.head
    projector = createProjector(queries, restored.projected, (error) => onError(error, 'writing the tables'))
    for (const batch of restored.unprojected) projector.push(batch)
    isReady = true
  }

  /** Retries until the database answers: nothing is decided on a memory that may be wrong. */
  const recover = async () => {
    isReady = false
    await projector.stop()
    const quotes = [...state.quotes.values()]
    for (let pauseMs = 100; !isStopped; pauseMs = Math.min(pauseMs * 2, 5_000)) {
      try {
        await load()
        // Prices are the market's memory, not the journal's: they outlive the rebuilt state.
        for (const quote of quotes) state.quotes.set(quote.instrumentId, quote)
        return
      } catch (error) {
        onError(error, 'rebuilding the engine from the database')
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }
  }

  const decideBatch = (batch: readonly Waiting[]) => {
    const answered: Answered[] = []
    const changes: Committed[] = []
    for (const { command, answer } of batch) {
      const at = Math.max(options.now(), head.at, changes.at(-1)?.entry.at ?? 0)
      const result = transact(state, { ...command, at } as Command)
      if (!isRejection(result) && !result.isRepeat && result.entry.events.length > 0) changes.push(result)
      if (command.type === 'tick') quoted.emit(command.quote)
      answered.push({ answer, result })
    }
    return { answered, changes }
  }

  /** True once the batch is in the journal, even when the database could not say so at first. */
  const commit = async (changes: readonly Committed[]): Promise<boolean> => {
    const batch = { at: changes.at(-1)?.entry.at ?? head.at, entries: changes.map((change) => change.entry) }
    const before = head
    try {
      head = await appendBatch(queries, before, batch)
      const done: CommittedBatch = { seq: head.seq, entries: changes }
      projector.push(done)
      return true
    } catch (error) {
      onError(error, 'committing to the journal')
      await recover()
      return !isStopped && hasBatch(queries, before, batch)
    }
  }

  const runBatch = async (batch: readonly Waiting[]) => {
    const { answered, changes } = decideBatch(batch)
    const isKept = changes.length === 0 || (await commit(changes))
    for (const { answer, result } of answered) answer?.(isKept ? result : { unavailable: true })
    if (isKept) for (const change of changes) committed.emit(change)
    while (projector.lag() > MAX_LAG && !isStopped) await projector.advanced()
  }

  const run = async () => {
    while (queue.length > 0 && !isStopped) {
      const batch = queue.slice(0, BATCH_SIZE)
      queue = queue.slice(BATCH_SIZE)
      try {
        await runBatch(batch)
      } catch (error) {
        // A bug in deciding may have left the memory half changed.
        onError(error, 'deciding')
        for (const { answer } of batch) answer?.({ unavailable: true })
        await recover()
      }
    }
    running = null
  }

  const enqueue = (waiting: Waiting) => {
    queue.push(waiting)
    running ??= Promise.resolve().then(run)
  }

  await load()
  const clock = setInterval(() => enqueue({ command: { type: 'clock' }, answer: null }), CLOCK_MS)

  return {
    state: () => state,
    execute: (command) => {
      if (isStopped || !isReady || queue.length >= MAX_WAITING) return Promise.resolve({ unavailable: true })
      return new Promise((resolve) => enqueue({ command, answer: resolve }))
    },
    tick: (quote) => {
      if (!isStopped) enqueue({ command: { type: 'tick', quote }, answer: null })
    },
    caughtUp: () => projector.reached(head.seq),
    onCommitted: committed.subscribe,
    onQuote: quoted.subscribe,
    isReady: () => isReady && !isStopped,
    stop: async () => {
      clearInterval(clock)
      isStopped = true
      await running
      for (const { answer } of queue) answer?.({ unavailable: true })
      await projector.stop()
    },
  }
}
