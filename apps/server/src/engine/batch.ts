import {
  followOn,
  isRejection,
  mayDecideMeanwhile,
  requestKey,
  transact,
  type Command,
  type Core,
  type Outcome,
  type Quote,
  type Rejection,
  type State,
} from '@fairlot/core'
import type { Change } from './projection/committed-batch.ts'
import { encodeEntry, type EncodedEntry } from './journal/entry-codec.ts'
import {
  type Begun,
  NOT_DONE,
  type NotDone,
  type PendingCommand,
  type Queue,
  type Unavailable,
  UNAVAILABLE,
} from './queue.ts'

/** Approximate limit of events in one batch: the rest waits for the next, so that the event loop is not blocked for long. */
const BATCH_EVENTS = 1_000

/** Decisions in memory that are committed together. */
export type Batch = {
  /** Finished commands with their answers. */
  readonly done: { readonly waiting: PendingCommand; readonly answer: Outcome | Rejection }[]
  /** Prices to publish, of the finished ticks, in order. */
  readonly quotes: Quote[]
  /** Changes of the state in order; a large command has several, spread over several batches. */
  readonly changes: Change[]
  /** The same changes, encoded for the journal. */
  readonly entries: EncodedEntry[]
  /** Called once it is known whether the batch was committed: reads of the state made while it was pending. */
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

/** The time at which commands are decided. */
export type Moment = {
  /** Epoch ms on the market clock. */
  readonly at: number
  /** Commands that arrived before this, on the monotonic clock, are too old to be decided. */
  readonly arrivedAfter: number
}

/** Events in one turn of the event loop while a row is open: about ten ms of deciding and encoding. */
const OPEN_ROW_EVENTS = 200
/** Commands of other accounts in such a turn. */
const OPEN_ROW_COMMANDS = 50

/** True while copies still follow a provider: the batch is not committed before they all have. */
export const isRowOpen = ({ unfinished }: Core): boolean => unfinished !== null && unfinished.isRowOpen

/** The time at which an open row is decided, with everything that is decided meanwhile; null for none. */
const openRowAt = ({ unfinished }: Core): number | null => (unfinished?.isRowOpen ? unfinished.at : null)

/**
 * Decides commands in order until the queue is empty, `most` are done, the batch is full or a command is unfinished; that
 * one continues first in the next batch. Changes only the memory; nothing is committed yet.
 */
export function decideInto(batch: Batch, queue: Queue, core: Core, moment: Moment, most: number): void {
  if (isRowOpen(core)) {
    decideMeanwhile(batch, queue, core, moment)
    if (!letCopiesFollow(batch, core)) return
  }
  for (let count = 0; count < most && batch.eventCount < BATCH_EVENTS; count += 1) {
    const next = nextOf(queue, core.state, moment)
    if (!next) return
    const { waiting, at } = next
    let answer = decideOnce(batch, core, waiting, at)
    // Due work in front of a command is small; only a tick, or the due work in front of it, may exceed one batch.
    while (hasMore(answer) && core.unfinished === null && isChange(answer))
      answer = decideOnce(batch, core, waiting, at)
    // Of a tick the rest comes back from the queue, once the copies have followed.
    if (hasMore(answer)) queue.begin(next)
    if (hasMore(answer) && !(isRowOpen(core) && letCopiesFollow(batch, core))) return
    if (hasMore(answer)) continue
    if (waiting.answer || waiting.command.type === 'tick') batch.done.push({ waiting, answer })
    if (waiting.command.type === 'tick') notePrice(batch, core.state, waiting.command.quote.instrumentId)
    if (isRowOpen(core) && !letCopiesFollow(batch, core)) return
  }
}

/** Decides what the provider's event causes, as much as fits in a turn; true once all copies have followed. */
function letCopiesFollow(batch: Batch, core: Core): boolean {
  const most = batch.eventCount + OPEN_ROW_EVENTS
  while (isRowOpen(core) && batch.eventCount < most) note(batch, followOn(core))
  return !isRowOpen(core)
}

/**
 * Decides commands of accounts that neither are copied nor are copies, at the time of the open row. Once a command of
 * an account has to wait, its later ones wait too.
 */
function decideMeanwhile(batch: Batch, queue: Queue, core: Core, { arrivedAfter }: Moment): void {
  const at = openRowAt(core)
  if (at === null) return
  const waitingAccounts = new Set<number>()
  let count = 0
  const isDecided = (one: PendingCommand): boolean => {
    const command = { ...one.command, at } as Command
    const accountId = 'accountId' in command ? command.accountId : null
    const mayDecide =
      count < OPEN_ROW_COMMANDS &&
      one.arrivedAt > arrivedAfter &&
      (accountId === null || !waitingAccounts.has(accountId)) &&
      mayDecideMeanwhile(core, command)
    if (mayDecide) count += 1
    else if (accountId !== null) waitingAccounts.add(accountId)
    return mayDecide
  }
  for (const waiting of queue.takeOut(isDecided)) {
    let answer = decideOnce(batch, core, waiting, at)
    while (hasMore(answer) && isChange(answer)) answer = decideOnce(batch, core, waiting, at)
    if (waiting.answer) batch.done.push({ waiting, answer })
  }
}

/** The tick as it is published: with the mark-up of the terms it was decided by. */
function notePrice({ quotes }: Batch, state: State, instrumentId: number): void {
  const quote = state.quotes.get(instrumentId)
  if (quote) quotes.push(quote)
}

function decideOnce(batch: Batch, core: Core, waiting: PendingCommand, at: number): Outcome | Rejection {
  const answer = transactOrAnswer(core, waiting, at)
  note(batch, answer)
  return answer
}

function note(batch: Batch, answer: Outcome | Rejection): void {
  if (!isChange(answer)) return
  batch.changes.push(answer)
  batch.entries.push(encodeEntry(answer.entry))
  batch.eventCount += answer.entry.events.length
}

/** Rethrows an error of the core, which is a bug, after it has answered the caller. */
function transactOrAnswer(core: Core, { command, answer }: PendingCommand, at: number): Outcome | Rejection {
  try {
    return transact(core, { ...command, at } as Command)
  } catch (error) {
    answer?.(UNAVAILABLE)
    throw error
  }
}

/** The next command and its time. An unfinished command keeps the time at which it began. */
function nextOf(queue: Queue, state: State, { at, arrivedAfter }: Moment): Begun | null {
  const begun = queue.takeBegun()
  if (begun) return begun
  for (let waiting = queue.take(); waiting; waiting = queue.take()) {
    if (!hasDeadline(waiting) || waiting.arrivedAt > arrivedAfter) return { waiting, at }
    waiting.answer?.(undecidedAnswer(state, waiting.command))
  }
  return null
}

/** True for commands of users and operators; ticks and the clock have no deadline. */
export const hasDeadline = ({ command }: PendingCommand): boolean =>
  command.type !== 'tick' && command.type !== 'clock'

/**
 * The answer to a command that will not be decided. If the same request was decided before, even without being committed
 * yet, `notDone` would be wrong.
 */
export function undecidedAnswer(state: State, command: PendingCommand['command']): Unavailable | NotDone {
  const request = 'request' in command ? command.request : undefined
  return request && state.requests.has(requestKey(request)) ? UNAVAILABLE : NOT_DONE
}

const hasMore = (answer: Outcome | Rejection): boolean => !isRejection(answer) && answer.hasMore

const isChange = (answer: Outcome | Rejection): answer is Outcome =>
  !isRejection(answer) && answer.repeatOf === null && answer.entry.events.length > 0

/** Answers everybody in a batch that its outcome is unknown. */
export function answerUnavailable({ done, readers }: Batch): void {
  for (const { waiting } of done) waiting.answer?.(UNAVAILABLE)
  for (const answerReader of readers) answerReader(false)
}

/** The ticks of a failed batch, in order of arrival. */
export const ticksOf = ({ done }: Batch): PendingCommand[] =>
  done.flatMap(({ waiting }) => (waiting.command.type === 'tick' ? waiting : []))
