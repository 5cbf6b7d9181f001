import { isRejection, transact, type Command, type Outcome, type Rejection, type State } from '@fairlot/core'

type WithoutTime<C> = C extends Command ? Omit<C, 'at'> : never

/** Events of one batch, more or less: what comes on top waits for the next, so that a turn of the loop stays short. */
const BATCH_EVENTS = 1_000

/** A user's command before the engine stamps it with the time at which it is decided. */
export type EngineCommand = WithoutTime<Exclude<Command, { type: 'tick' | 'clock' }>>

/** The engine could not commit, or had no place left; nothing is known to have happened. */
export type Unavailable = { readonly unavailable: true }
export const UNAVAILABLE: Unavailable = { unavailable: true }
export const isUnavailable = (answer: object): answer is Unavailable => 'unavailable' in answer

export type Answer = Outcome | Rejection | Unavailable

/** A command in the queue, and who waits for its answer. */
export type Waiting = {
  readonly command: WithoutTime<Command>
  readonly answer: ((answer: Answer) => void) | null
  /** When it was begun, for one that has more to do: it goes on at that time, before any other. */
  readonly begunAt?: number
}

/** What became of a batch. */
export type Decided = {
  /** The commands that are done, with their answers. */
  readonly done: readonly { readonly waiting: Waiting; readonly answer: Outcome | Rejection }[]
  /** What changed something, in order; a command with much to do has several, over several batches. */
  readonly changes: readonly Outcome[]
  /** The rest of the batch, to be given again first. It may begin with a command that has more to do. */
  readonly rest: readonly Waiting[]
}

/** Takes commands through the core in their order. Changes the memory; nothing is kept yet. */
export function decideBatch(state: State, batch: readonly Waiting[], at: number): Decided {
  const done: Decided['done'][number][] = []
  const changes: Outcome[] = []
  let eventCount = 0
  for (const [index, waiting] of batch.entries()) {
    if (eventCount >= BATCH_EVENTS) return { done, changes, rest: batch.slice(index) }
    const decidedAt = waiting.begunAt ?? at
    const answer = transact(state, { ...waiting.command, at: decidedAt } as Command)
    if (isChange(answer)) {
      changes.push(answer)
      eventCount += answer.entry.events.length
    }
    if (hasMore(answer)) {
      return { done, changes, rest: [{ ...waiting, begunAt: decidedAt }, ...batch.slice(index + 1)] }
    }
    done.push({ waiting, answer })
  }
  return { done, changes, rest: [] }
}

const hasMore = (answer: Outcome | Rejection): boolean => !isRejection(answer) && answer.hasMore

const isChange = (answer: Outcome | Rejection): answer is Outcome =>
  !isRejection(answer) && !answer.isRepeat && answer.entry.events.length > 0

/** Tells everybody in a batch that it is not known to have happened. */
export function refuseBatch(batch: readonly Waiting[]): void {
  for (const { answer } of batch) answer?.(UNAVAILABLE)
}
