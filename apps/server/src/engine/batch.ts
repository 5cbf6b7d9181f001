import { isRejection, transact, type Command, type Outcome, type Rejection, type State } from '@fairlot/core'

type WithoutTime<C> = C extends Command ? Omit<C, 'at'> : never

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
}

/** One answer a command, and those that changed something. */
export type Decided = {
  readonly answers: readonly (Outcome | Rejection)[]
  readonly changes: readonly Outcome[]
}

/** Takes the commands through the core in their order. Changes the memory; nothing is kept yet. */
export function decideBatch(state: State, batch: readonly Waiting[], at: number): Decided {
  const answers = batch.map(({ command }) => transact(state, { ...command, at } as Command))
  return { answers, changes: answers.filter(isChange) }
}

const isChange = (answer: Outcome | Rejection): answer is Outcome =>
  !isRejection(answer) && !answer.isRepeat && answer.entry.events.length > 0

/** Tells everybody in a batch that it is not known to have happened. */
export function refuseBatch(batch: readonly Waiting[]): void {
  for (const { answer } of batch) answer?.(UNAVAILABLE)
}
