import type { Entry, Event, Request } from './event.ts'
import { evolveEvent } from './evolve.ts'
import type { Posting } from './ledger.ts'
import { safeRanges } from './safe-range.ts'
import type { State } from './state.ts'

/** A command that took effect. An entry without events changed nothing and need not be kept. */
export type Outcome = {
  readonly entry: Entry
  readonly postings: readonly Posting[]
  /** True when the request had taken effect before; the entry is the one of that time. */
  readonly isRepeat: boolean
  /** True when there is more to do first: the same command, with the same time, is to be given again before any other. */
  readonly hasMore: boolean
}

/** A transaction under way: every decision is made on what the ones before it left behind. */
export type Progress = {
  readonly state: State
  readonly at: number
  readonly events: Event[]
  readonly postings: Posting[]
}

export const begin = (state: State, at: number): Progress => ({ state, at, events: [], postings: [] })

export function apply(progress: Progress, events: readonly Event[]): void {
  for (const event of events) {
    progress.postings.push(...evolveEvent(progress.state, event, progress.at))
    progress.events.push(event)
  }
}

export function finish(progress: Progress, request: Request | null, hasMore = false): Outcome {
  const { at, events, postings } = progress
  return { entry: { at, request, events }, postings, isRepeat: false, hasMore }
}

/**
 * Works out anew the safe prices of the accounts that have changed, or of the first `most` of them. `transact` does it before
 * a tick is looked at; after a rebuild from the journal the host calls it until `touched` is empty.
 */
export function watchTouched(state: State, most = Infinity): void {
  let count = 0
  for (const id of state.touched) {
    if ((count += 1) > most) return
    const account = state.accounts.get(id)
    if (account) state.marginWatch.watch(id, safeRanges(state, account))
    state.touched.delete(id)
  }
}
