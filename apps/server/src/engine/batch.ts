import {
  isRejection,
  requestKey,
  transact,
  type Command,
  type Outcome,
  type Rejection,
  type State,
} from '@fairlot/core'
import type { Change } from './backlog.ts'
import { encodeEntry, type EncodedEntry } from './entry-codec.ts'
import type { Queue } from './queue.ts'

type WithoutTime<C> = C extends Command ? Omit<C, 'at'> : never

/** Events of one batch, more or less: what comes on top waits for the next, so that a turn of the loop stays short. */
const BATCH_EVENTS = 1_000

/** A user's command before the engine stamps it with the time at which it is decided. */
export type EngineCommand = WithoutTime<Exclude<Command, { type: 'tick' | 'clock' }>>

/** The engine could not commit, or had no place left; nothing is known to have happened. */
export type Unavailable = { readonly unavailable: true }
export const UNAVAILABLE: Unavailable = { unavailable: true }
export const isUnavailable = (value: unknown): value is Unavailable => value === UNAVAILABLE

/** It was not decided in time, and never will be. */
export type NotDone = { readonly notDone: true }
const NOT_DONE: NotDone = { notDone: true }
export const isNotDone = (value: unknown): value is NotDone => value === NOT_DONE

export type Answer = Outcome | Rejection | Unavailable | NotDone

/** A command in the queue, and who waits for its answer. */
export type Waiting = {
  readonly command: WithoutTime<Command>
  readonly answer: ((answer: Answer) => void) | null
  /** Monotonic, ms. */
  readonly arrivedAt: number
}

/** What has been decided in memory and goes into one commit. */
export type Batch = {
  /** The commands that are done, with their answers. */
  readonly done: { readonly waiting: Waiting; readonly answer: Outcome | Rejection }[]
  /** What changed something, in order; a command with much to do has several, over several batches. */
  readonly changes: Change[]
  /** The same as the journal has them. */
  readonly entries: EncodedEntry[]
  /** Who has looked at the memory since the batch was begun, and waits to hear whether it holds. */
  readonly lookers: ((isCommitted: boolean) => void)[]
  eventCount: number
}

export const newBatch = (): Batch => ({ done: [], changes: [], entries: [], lookers: [], eventCount: 0 })

/** When something is decided. */
export type Moment = {
  /** Epoch ms on the market clock. */
  readonly at: number
  /** What arrived before, on the monotonic clock, is not decided any more. */
  readonly arrivedAfter: number
}

/**
 * Takes commands through the core in their order, until none waits, `most` are done, the batch is full or one has more to
 * do, which goes on first next time. Changes the memory; nothing is kept yet.
 */
export function decideInto(batch: Batch, queue: Queue, state: State, moment: Moment, most: number): void {
  for (let count = 0; count < most && batch.eventCount < BATCH_EVENTS; count += 1) {
    const next = nextOf(queue, state, moment)
    if (!next) return
    const { waiting, at } = next
    let answer = decideOnce(batch, state, waiting, at)
    // What comes before a command is little; only a tick may be too much for one batch, or what is looked at before it.
    while (hasMore(answer) && state.underway === null && isChange(answer))
      answer = decideOnce(batch, state, waiting, at)
    if (hasMore(answer)) return queue.begin(next)
    if (waiting.answer || waiting.command.type === 'tick') batch.done.push({ waiting, answer })
  }
}

function decideOnce(batch: Batch, state: State, waiting: Waiting, at: number): Outcome | Rejection {
  const answer = transactOrTell(state, waiting, at)
  if (isChange(answer)) {
    batch.changes.push(answer)
    batch.entries.push(encodeEntry(answer.entry))
    batch.eventCount += answer.entry.events.length
  }
  return answer
}

/** Throws when the core does, which is a bug; whoever asked is told first. */
function transactOrTell(state: State, { command, answer }: Waiting, at: number): Outcome | Rejection {
  try {
    return transact(state, { ...command, at } as Command)
  } catch (error) {
    answer?.(UNAVAILABLE)
    throw error
  }
}

/** What is decided next, and at which time: what was begun goes on at the time at which it was begun. */
function nextOf(queue: Queue, state: State, { at, arrivedAfter }: Moment): Begun | null {
  const begun = queue.takeBegun()
  if (begun) return begun
  for (let waiting = queue.take(); waiting; waiting = queue.take()) {
    if (!isAsked(waiting) || waiting.arrivedAt > arrivedAfter) return { waiting, at }
    waiting.answer?.(refusalOf(state, waiting.command))
  }
  return null
}

/** A command that has more to do, and the time at which it was begun. */
export type Begun = { readonly waiting: Waiting; readonly at: number }

/** True for what somebody asked for: it has a limit of time. Ticks and the clock have none. */
export const isAsked = ({ command }: Waiting): boolean => command.type !== 'tick' && command.type !== 'clock'

/**
 * What somebody is told whose command will not be decided. Where its request has been decided before, be it not yet
 * committed, nobody can say that it is not done.
 */
export function refusalOf(state: State, command: Waiting['command']): Unavailable | NotDone {
  const request = 'request' in command ? command.request : undefined
  return request && state.requests.has(requestKey(request)) ? UNAVAILABLE : NOT_DONE
}

const hasMore = (answer: Outcome | Rejection): boolean => !isRejection(answer) && answer.hasMore

const isChange = (answer: Outcome | Rejection): answer is Outcome =>
  !isRejection(answer) && answer.repeatOf === null && answer.entry.events.length > 0

/** Tells everybody in a batch that it is not known to have happened. */
export function refuseBatch({ done, lookers }: Batch): void {
  for (const { waiting } of done) waiting.answer?.(UNAVAILABLE)
  for (const tell of lookers) tell(false)
}

/** The ticks of a batch that came to nothing, as they came. */
export const ticksOf = ({ done }: Batch): Waiting[] =>
  done.flatMap(({ waiting }) => (waiting.command.type === 'tick' ? waiting : []))
