import type { Author } from './author.ts'
import type { Entry, Event, Request } from './event.ts'
import { evolveEvent, type TrailedStop } from './evolve.ts'
import type { Posting } from './money/ledger.ts'
import { safeRanges } from './margin/safe-range.ts'
import type { Core } from './core.ts'

/** A command that took effect. An entry without events changed nothing and need not be kept. */
export type Outcome = {
  readonly entry: Entry
  readonly postings: readonly Posting[]
  /** Where trailing stops stand now: the events name only the price that they follow. */
  readonly trailed: readonly TrailedStop[]
  /** The journal row with what the request did when it was accepted before; null when it is done now. */
  readonly repeatOf: number | null
  /** True when there is more to do first: the same command is to be given again before any other, with the same time if it is a tick. */
  readonly hasMore: boolean
}

/** A transaction under way: every decision is made on what the ones before it left behind. */
export type Progress = {
  readonly core: Core
  readonly at: number
  readonly author: Author
  readonly events: Event[]
  readonly postings: Posting[]
  readonly trailed: TrailedStop[]
}

export const begin = (core: Core, at: number, author: Author): Progress => ({
  ...{ core, at, author },
  ...{ events: [], postings: [], trailed: [] },
})

export function apply(progress: Progress, events: readonly Event[]): void {
  for (const event of events) {
    const { postings, trailed } = evolveEvent(progress.core, event, progress.at)
    for (const posting of postings) progress.postings.push(posting)
    for (const stop of trailed) progress.trailed.push(stop)
    progress.events.push(event)
  }
}

export function finish(progress: Progress, request: Request | null, hasMore = false): Outcome {
  const { at, author, events, postings, trailed } = progress
  return { entry: { at, author, request, events }, postings, trailed, repeatOf: null, hasMore }
}

/** Accounts whose safe prices are worked out anew at a time: a stop-out level that rises concerns everybody at once. */
export const MOST_WATCHED = 500

/**
 * Works out anew the safe prices of the accounts that have changed, or of the first `most` of them. `transact` does it before
 * a tick is looked at; after a rebuild from the journal the host calls it until `touched` is empty.
 */
export function watchTouched({ state, touched, marginWatch }: Core, most = Infinity): void {
  let count = 0
  for (const id of touched) {
    if ((count += 1) > most) return
    const account = state.accounts.get(id)
    if (account) marginWatch.watch(id, safeRanges(state, account))
    touched.delete(id)
  }
}
