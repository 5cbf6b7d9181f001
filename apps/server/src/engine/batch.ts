import {
  isRejection,
  requestKey,
  transact,
  type Command,
  type Core,
  type Outcome,
  type Quote,
  type Rejection,
  type State,
} from '@fairlot/core'
import type { Change } from './projection/backlog.ts'
import { encodeEntry, type EncodedEntry } from './journal/entry-codec.ts'
import type { Queue } from './queue.ts'
import {
  NOT_DONE,
  UNAVAILABLE,
  type Begun,
  type NotDone,
  type Unavailable,
  type PendingCommand,
} from './pending-command.ts'

/** Events of one batch, more or less: what comes on top waits for the next, so that a turn of the loop stays short. */
const BATCH_EVENTS = 1_000

/** What has been decided in memory and goes into one commit. */
export type Batch = {
  /** The commands that are done, with their answers. */
  readonly done: { readonly waiting: PendingCommand; readonly answer: Outcome | Rejection }[]
  /** The published prices of the ticks that are done, in order. */
  readonly quotes: Quote[]
  /** What changed something, in order; a command with much to do has several, over several batches. */
  readonly changes: Change[]
  /** The same as the journal has them. */
  readonly entries: EncodedEntry[]
  /** Reads of the state since the batch began; each is told whether the batch was committed. */
  readonly readers: ((isCommitted: boolean) => void)[]
  eventCount: number
}

export const newBatch = (): Batch => ({
  done: [],
  quotes: [],
  changes: [],
  entries: [],
  readers: [],
  eventCount: 0,
})

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
export function decideInto(batch: Batch, queue: Queue, core: Core, moment: Moment, most: number): void {
  for (let count = 0; count < most && batch.eventCount < BATCH_EVENTS; count += 1) {
    const next = nextOf(queue, core.state, moment)
    if (!next) return
    const { waiting, at } = next
    let answer = decideOnce(batch, core, waiting, at)
    // What comes before a command is little; only a tick may be too much for one batch, or what is looked at before it.
    while (hasMore(answer) && core.underway === null && isChange(answer))
      answer = decideOnce(batch, core, waiting, at)
    if (hasMore(answer)) return queue.begin(next)
    if (waiting.answer || waiting.command.type === 'tick') batch.done.push({ waiting, answer })
    if (waiting.command.type === 'tick') notePrice(batch, core.state, waiting.command.quote.instrumentId)
  }
}

/** What a tick has become by the terms it was decided by. */
function notePrice({ quotes }: Batch, state: State, instrumentId: number): void {
  const quote = state.quotes.get(instrumentId)
  if (quote) quotes.push(quote)
}

function decideOnce(batch: Batch, core: Core, waiting: PendingCommand, at: number): Outcome | Rejection {
  const answer = transactOrTell(core, waiting, at)
  if (isChange(answer)) {
    batch.changes.push(answer)
    batch.entries.push(encodeEntry(answer.entry))
    batch.eventCount += answer.entry.events.length
  }
  return answer
}

/** Throws when the core does, which is a bug; whoever asked is told first. */
function transactOrTell(core: Core, { command, answer }: PendingCommand, at: number): Outcome | Rejection {
  try {
    return transact(core, { ...command, at } as Command)
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

/** True for what somebody asked for: it has a limit of time. Ticks and the clock have none. */
export const isAsked = ({ command }: PendingCommand): boolean =>
  command.type !== 'tick' && command.type !== 'clock'

/**
 * What somebody is told whose command will not be decided. Where its request has been decided before, be it not yet
 * committed, nobody can say that it is not done.
 */
export function refusalOf(state: State, command: PendingCommand['command']): Unavailable | NotDone {
  const request = 'request' in command ? command.request : undefined
  return request && state.requests.has(requestKey(request)) ? UNAVAILABLE : NOT_DONE
}

const hasMore = (answer: Outcome | Rejection): boolean => !isRejection(answer) && answer.hasMore

const isChange = (answer: Outcome | Rejection): answer is Outcome =>
  !isRejection(answer) && answer.repeatOf === null && answer.entry.events.length > 0

/** Tells everybody in a batch that it is not known to have happened. */
export function refuseBatch({ done, readers }: Batch): void {
  for (const { waiting } of done) waiting.answer?.(UNAVAILABLE)
  for (const tell of readers) tell(false)
}

/** The ticks of a batch that came to nothing, as they came. */
export const ticksOf = ({ done }: Batch): PendingCommand[] =>
  done.flatMap(({ waiting }) => (waiting.command.type === 'tick' ? waiting : []))
