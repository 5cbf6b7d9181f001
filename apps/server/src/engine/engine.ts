import {
  isRejection,
  reject,
  acceptedRequest,
  type Core,
  type Entry,
  type Host,
  type Outcome,
  type Quote,
  type Rejection,
  type Request,
  type State,
} from '@fairlot/core'
import type { Database } from '../platform/database/open.ts'
import type { Batch } from './batch.ts'
import { EngineStore } from './engine-store.ts'
import type { Change } from './projection/committed-batch.ts'
import { readRequestEntry } from './journal/journal.ts'
import { createEmitter, type Subscribe } from '../platform/emitter.ts'
import {
  isUnavailable,
  UNAVAILABLE,
  type Answer,
  type EngineCommand,
  type Unavailable,
  type PendingCommand,
} from './queue.ts'
import { MAX_LAG, Writer } from './writer.ts'

export { isNotDone, isUnavailable, type Answer, type EngineCommand, type Unavailable } from './queue.ts'

/** Most commands in one commit, so that the event loop is not blocked for long. */
const BATCH_SIZE = 500
/** Commands that may wait; beyond this number new ones are refused at once. */
const MAX_WAITING = 50_000
/** Interval of the clock command, which expires pending orders, ms. */
const CLOCK_MS = 1_000

/** The changes of a commit. */
export type Committed = Change

export type Engine = {
  /**
   * The current state: read only, and never kept, since a recovery replaces it. It is ahead of the journal, so use `read` to
   * show anything of an account.
   */
  state(): State
  /** The state with its indexes and the work in progress. */
  core(): Core
  /**
   * The result of a view of the state, returned once everything it may have seen is in the journal; `Unavailable` if that
   * was not committed. The view must return copies, not parts of the state.
   */
  read<View>(view: (state: State) => View): Promise<View | Unavailable>
  /**
   * Answers once the change is in the journal. `Unavailable`: the outcome is unknown; repeat it with the same request id.
   * `NotDone`: it was not decided within 4 s of its arrival and never will be.
   */
  execute(command: EngineCommand): Promise<Answer>
  /**
   * What a request did that was accepted before, or why its id cannot be used again; null for a new one, and for one that
   * is forgotten. Decides nothing, so checks that are not in the core can be left out for a repeat.
   */
  earlierAnswer(request: Request): Promise<Entry | Rejection | Unavailable | null>
  /** Takes an accepted tick as its source sent it. It is published, with mark-up, once everything it triggers is in the journal. */
  tick(quote: Quote): void
  /** Resolves once the tables hold everything committed so far, after a failure once the memory is rebuilt. Throws after the stop. */
  caughtUp(): Promise<void>
  readonly onCommitted: Subscribe<Committed>
  readonly onQuote: Subscribe<Quote>
  /** False while the database is unreachable or the memory is being rebuilt, and after stopping or stepping down. */
  isReady(): boolean
  /** Stops for good because another program writes to the journal. The reason is a sentence. */
  stepDown(reason: string): void
  /** Finishes the commit in progress and rejects the rest. */
  stop(): Promise<void>
}

export type EngineOptions = {
  readonly database: Database
  readonly host: Host
  /** Epoch ms on the market clock. */
  readonly now: () => number
  readonly onError: (error: unknown, doing: string) => void
  /** Called once, with a sentence, when another program has written to the journal: this one never will again. */
  readonly onSteppedDown?: (reason: string) => void
  /** The last prices of the previous run. */
  readonly quotes?: readonly Quote[]
  /** Most commands in one commit. */
  readonly batchSize?: number
}

/**
 * The single writer. Takes the commands that have arrived, decides them in memory, commits them as one journal row, and only
 * then answers and publishes. When a commit fails the memory is dropped and rebuilt from the database.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { now, onError, batchSize = BATCH_SIZE } = options
  const committed = createEmitter<Committed>((error) => onError(error, 'publishing a commit'))
  const quoted = createEmitter<Quote>((error) => onError(error, 'publishing a price'))
  let isStopped = false

  const answerCaller = createAnswerCaller(options)
  const publish = ({ done, quotes, changes }: Batch) => {
    for (const quote of quotes) quoted.emit(quote)
    for (const { waiting, answer } of done) answerCaller(waiting, answer)
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
  const hasCapacity = () => writer.waitingCount < MAX_WAITING && store.projector.lag() < 2 * MAX_LAG
  const clock = setInterval(() => {
    if (isReady()) writer.push({ command: { type: 'clock' }, answer: null, arrivedAt: performance.now() })
  }, CLOCK_MS)

  const read: Engine['read'] = async (view) => {
    if (!isReady()) return UNAVAILABLE
    const result = view(store.state)
    return (await writer.committed()) ? result : UNAVAILABLE
  }

  return {
    state: () => store.state,
    core: () => store.core,
    read,
    earlierAnswer: async (request) => {
      const accepted = await read((state) => acceptedRequest(state, request, now()))
      if (accepted === null || isUnavailable(accepted)) return accepted
      if (accepted.digest !== request.digest) return reject('requestIdReused', { requestId: request.id })
      return (await readRequestEntry(options.database.queries, accepted.row, request)) ?? UNAVAILABLE
    },
    execute: (command) =>
      isReady() && hasCapacity()
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

/** Answers callers; a repeated request gets the journal entry of when it was first accepted. */
function createAnswerCaller({ database, onError }: Pick<EngineOptions, 'database' | 'onError'>) {
  const repeated = async (answer: Outcome, row: number): Promise<Answer> => {
    const { request } = answer.entry
    const entry = request && (await readRequestEntry(database.queries, row, request))
    return entry ? { ...answer, entry } : UNAVAILABLE
  }
  return ({ answer: resolve }: PendingCommand, answer: Outcome | Rejection): void => {
    if (!resolve) return
    if (isRejection(answer) || answer.repeatOf === null) return resolve(answer)
    repeated(answer, answer.repeatOf).then(resolve, (error: unknown) => {
      onError(error, 'reading the result of a repeated request')
      resolve(UNAVAILABLE)
    })
  }
}
