import type { Command, Outcome, Rejection } from '@fairlot/core'

type WithoutTime<C> = C extends Command ? Omit<C, 'at'> : never

/** A user's command before the engine stamps it with the time at which it is decided. */
export type EngineCommand = WithoutTime<Exclude<Command, { type: 'tick' | 'clock' }>>

/** The engine could not commit, or had no place left; nothing is known to have happened. */
export type Unavailable = { readonly unavailable: true }
export const UNAVAILABLE: Unavailable = { unavailable: true }
export const isUnavailable = (value: unknown): value is Unavailable => value === UNAVAILABLE

/** It was not decided in time, and never will be. */
export type NotDone = { readonly notDone: true }
export const NOT_DONE: NotDone = { notDone: true }
export const isNotDone = (value: unknown): value is NotDone => value === NOT_DONE

export type Answer = Outcome | Rejection | Unavailable | NotDone

/** A command in the queue, with the callback that takes its answer. */
export type PendingCommand = {
  readonly command: WithoutTime<Command>
  readonly answer: ((answer: Answer) => void) | null
  /** Monotonic, ms. */
  readonly arrivedAt: number
}

/** A command that has more to do, and the time at which it was begun. */
export type Begun = { readonly waiting: PendingCommand; readonly at: number }
