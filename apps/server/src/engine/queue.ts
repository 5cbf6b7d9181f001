import type { Command, Outcome, Rejection } from '@fairlot/core'

type WithoutTime<C> = C extends Command ? Omit<C, 'at'> : never

/** A command before the engine adds the time at which it is decided. */
export type EngineCommand = WithoutTime<Exclude<Command, { type: 'tick' | 'clock' }>>

/** The engine could not commit, or its queue was full: the outcome is unknown. */
export type Unavailable = { readonly unavailable: true }
export const UNAVAILABLE: Unavailable = { unavailable: true }
export const isUnavailable = (value: unknown): value is Unavailable => value === UNAVAILABLE

/** The command was not decided in time, and never will be. */
export type NotDone = { readonly notDone: true }
export const NOT_DONE: NotDone = { notDone: true }
export const isNotDone = (value: unknown): value is NotDone => value === NOT_DONE

export type Answer = Outcome | Rejection | Unavailable | NotDone

/** A command in the queue, with the callback that takes its answer. */
export type PendingCommand = {
  readonly command: WithoutTime<Command>
  readonly answer: ((answer: Answer) => void) | null
  /** Ms on the monotonic clock. */
  readonly arrivedAt: number
}

/** An unfinished command, and the time at which it began. */
export type Begun = { readonly waiting: PendingCommand; readonly at: number }

/** Ticks are never refused: beyond this length only the latest of each instrument is kept. */
const MAX_LENGTH = 100_000
/** Taken places at the front before the array is compacted. */
const MAX_TAKEN = 1_024

/** Commands in order of arrival. */
export type Queue = {
  push(waiting: PendingCommand): void
  /** Removes and returns the next command. */
  take(): PendingCommand | undefined
  /** Stores an unfinished command, which comes before all others. */
  begin(begun: Begun): void
  takeBegun(): Begun | null
  /** Puts failed commands back in front, and behind them an unfinished command, which starts from its beginning. */
  putBack(failed: readonly PendingCommand[]): void
  /** Removes and returns all matching commands, an unfinished one too: each has a caller who waits. */
  takeOut(isWanted: (waiting: PendingCommand) => boolean): readonly PendingCommand[]
  length(): number
}

export function createQueue(): Queue {
  let waiting: PendingCommand[] = []
  let taken = 0
  let begun: Begun | null = null

  const rest = () => waiting.slice(taken)
  const replace = (next: PendingCommand[]) => {
    waiting = next
    taken = 0
  }

  return {
    push: (added) => {
      waiting.push(added)
      if (waiting.length - taken > MAX_LENGTH) replace(latestTicks(rest()))
    },
    take: () => {
      const next = waiting[taken]
      if (next) taken += 1
      if (taken >= waiting.length || (taken > MAX_TAKEN && taken * 2 > waiting.length)) replace(rest())
      return next
    },
    begin: (unfinished) => {
      begun = unfinished
    },
    takeBegun: () => {
      const unfinished = begun
      begun = null
      return unfinished
    },
    putBack: (failed) => {
      const unfinished = begun ? [begun.waiting] : []
      begun = null
      replace([...failed, ...unfinished, ...rest()])
    },
    takeOut: (isWanted) => {
      const unfinished = begun && isWanted(begun.waiting) ? [begun.waiting] : []
      if (unfinished.length > 0) begun = null
      const removed = rest().filter(isWanted)
      if (removed.length > 0) replace(rest().filter((one) => !isWanted(one)))
      return [...unfinished, ...removed]
    },
    length: () => waiting.length - taken + (begun ? 1 : 0),
  }
}

const isTick = ({ command }: PendingCommand): boolean => command.type === 'tick'

function latestTicks(waiting: readonly PendingCommand[]): PendingCommand[] {
  const latest = new Map<number, PendingCommand>()
  for (const one of waiting) {
    if (one.command.type === 'tick') latest.set(one.command.quote.instrumentId, one)
  }
  const kept = new Set(latest.values())
  return waiting.filter((one) => !isTick(one) || kept.has(one))
}
