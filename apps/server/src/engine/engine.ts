import {
  isRejection,
  type Core,
  type Host,
  type Outcome,
  type Quote,
  type Rejection,
  type State,
} from '@fairlot/core'
import type { Database } from '../database/open.ts'
import type { Batch } from './batch.ts'
import { EngineStore } from './engine-store.ts'
import type { Change } from './projection/backlog.ts'
import { readRequestEntry } from './journal/journal.ts'
import { createSignal, type Subscribe } from './signal.ts'
import {
  UNAVAILABLE,
  type Answer,
  type EngineCommand,
  type Unavailable,
  type PendingCommand,
} from './pending-command.ts'
import { MAX_LAG, Writer } from './writer.ts'

export {
  isNotDone,
  isUnavailable,
  type Answer,
  type EngineCommand,
  type Unavailable,
} from './pending-command.ts'

/** Commands taken into one commit at most, so that the loop breathes between batches. */
const BATCH_SIZE = 500
/** Commands that may wait; beyond it new ones are refused at once. */
const MAX_WAITING = 50_000
/** How often the core is told the time, so that pending orders expire. */
const CLOCK_MS = 1_000

/** What a commit changed, for whoever shows or pushes it. */
export type Committed = Change

export type Engine = {
  /**
   * The memory as it stands; read only, and read anew each time: a recovery replaces it. It runs ahead of the journal, so
   * nothing of an account may be shown from it: that is what `read` is for.
   */
  state(): State
  /** The same with what lives beside the state: indexes, and work under way. */
  core(): Core
  /**
   * What a view makes of the memory, handed out once everything it may have seen is in the journal. `Unavailable` when that came to
   * nothing. The view answers values of its own, no part of the memory.
   */
  read<View>(view: (state: State) => View): Promise<View | Unavailable>
  /**
   * Answers once the change is in the journal. `Unavailable` is not known to have happened: ask again by the same request
   * id. `NotDone` was not decided within 4 s of its arrival and never will be.
   */
  execute(command: EngineCommand): Promise<Answer>
  /** Takes an accepted tick, as its source sent it. It is published, with its mark-up, once what it fires is in the journal. */
  tick(quote: Quote): void
  /** Resolves once the tables hold everything committed so far; after a failure that is when the memory stands again. Throws after the stop. */
  caughtUp(): Promise<void>
  readonly onCommitted: Subscribe<Committed>
  readonly onQuote: Subscribe<Quote>
  /** False while the database is away or the memory is being rebuilt, after the stop, and for good once it has stepped down. */
  isReady(): boolean
  /** Takes no part any more: another program writes. Says why, in a sentence. */
  stepDown(reason: string): void
  /** Finishes the commit under way and refuses the rest. */
  stop(): Promise<void>
}

export type EngineOptions = {
  readonly database: Database
  readonly host: Host
  /** Epoch ms on the market clock. */
  readonly now: () => number
  readonly onError: (error: unknown, doing: string) => void
  /** Told once, in a sentence, when another program has written to the journal: this one never will again. */
  readonly onSteppedDown?: (reason: string) => void
  /** The last prices of the run before. */
  readonly quotes?: readonly Quote[]
  /** Most commands in one commit. */
  readonly batchSize?: number
}

/**
 * The single writer. Takes what has arrived, decides it in memory, commits it as one journal row, and only then answers
 * and publishes. When a commit comes to nothing the memory is thrown away and rebuilt from the database.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { now, onError, batchSize = BATCH_SIZE } = options
  const committed = createSignal<Committed>((error) => onError(error, 'telling of a commit'))
  const quoted = createSignal<Quote>((error) => onError(error, 'telling of a price'))
  let isStopped = false

  const tell = answerer(options)
  const publish = ({ done, quotes, changes }: Batch) => {
    for (const quote of quotes) quoted.emit(quote)
    for (const { waiting, answer } of done) tell(waiting, answer)
    for (const change of changes) committed.emit(change)
  }

  const writer = new Writer({ store: () => store, now, batchSize, publish, onError })
  const mayLag = () => writer.mayLag
  const store = await EngineStore.open({ ...options, mayLag, onAway: () => writer.refuse() }).catch(
    async (error: unknown) => {
      await writer.stop()
      throw error
    },
  )

  const isReady = () => store.isOpen && !isStopped
  const hasRoom = () => writer.waitingCount < MAX_WAITING && store.projector.lag() < 2 * MAX_LAG
  const clock = setInterval(() => {
    if (isReady()) writer.push({ command: { type: 'clock' }, answer: null, arrivedAt: performance.now() })
  }, CLOCK_MS)

  return {
    state: () => store.state,
    core: () => store.core,
    read: async (view) => {
      if (!isReady()) return UNAVAILABLE
      const seen = view(store.state)
      return (await writer.held()) ? seen : UNAVAILABLE
    },
    execute: (command) =>
      isReady() && hasRoom()
        ? new Promise((answer) => writer.push({ command, answer, arrivedAt: performance.now() }))
        : Promise.resolve(UNAVAILABLE),
    tick: (quote) => {
      if (!isStopped)
        writer.push({ command: { type: 'tick', quote }, answer: null, arrivedAt: performance.now() })
    },
    caughtUp: () => store.caughtUp(),
    onCommitted: committed.subscribe,
    onQuote: quoted.subscribe,
    isReady,
    stepDown: (reason) => store.stepDown(reason),
    stop: async () => {
      isStopped = true
      clearInterval(clock)
      store.stop()
      await writer.stop()
      await store.close()
    },
  }
}

/** Tells whoever waits; a repeat is answered with what its request did when it was accepted. */
function answerer({ database, onError }: Pick<EngineOptions, 'database' | 'onError'>) {
  const repeated = async (answer: Outcome, row: number): Promise<Answer> => {
    const { request } = answer.entry
    const entry = request && (await readRequestEntry(database.queries, row, request))
    return entry ? { ...answer, entry } : UNAVAILABLE
  }
  return ({ answer: resolve }: PendingCommand, answer: Outcome | Rejection): void => {
    if (!resolve) return
    if (isRejection(answer) || answer.repeatOf === null) return resolve(answer)
    repeated(answer, answer.repeatOf).then(resolve, (error: unknown) => {
      onError(error, 'reading what a request did before')
      resolve(UNAVAILABLE)
    })
  }
}
