/** Work that may be too much for one transaction: a tick that fires thousands, a round over all accounts. */
import type { Author } from './author.ts'
import type { Event } from './event.ts'
import { canBook, withhold } from './money-range.ts'
import { apply, begin, finish, watchTouched, type Outcome, type Progress } from './outcome.ts'
import type { State } from './state.ts'

/**
 * What a tick or the time leads to, a step at a time. Each event is applied before the next step is asked for; `null` is
 * a look that led to nothing.
 */
export type Steps = Generator<Event | null, void>

/** A tick that was interrupted. It lives in memory only: after a restart the next tick begins anew. */
export type Underway = { readonly at: number; readonly author: Author; readonly steps: Steps }

/** How much one call of `transact` does at most, more or less. */
export type Budget = { readonly events: number; readonly looks: number }

export const BUDGET: Budget = { events: 500, looks: 2_000 }

/** Goes on with a tick until it is done or the budget is spent; `state.underway` keeps what is left of it. */
export function proceed(state: State, underway: Underway, budget: Budget): Outcome {
  const progress = begin(state, underway.at, underway.author)
  const isDone = take(progress, underway.steps, budget)
  state.underway = isDone ? null : underway
  watchTouched(state)
  return finish(progress, null, !isDone)
}

/** Takes steps until they are done, or the budget is spent; true when they are done. */
export function take(progress: Progress, steps: Steps, budget: Budget): boolean {
  for (let looks = 0; looks < budget.looks && progress.events.length < budget.events; looks += 1) {
    const { done, value } = steps.next()
    if (done) return true
    if (value) book(progress, value)
  }
  return false
}

/** What is larger than can be booked does not happen: the order stays, and the next tick or night tries again. */
function book(progress: Progress, event: Event): void {
  const { state } = progress
  const orderId = 'orderId' in event ? event.orderId : null
  if (canBook(state, [event])) {
    apply(progress, [event])
    if (orderId !== null) state.withheld.delete(orderId)
  } else if (orderId !== null) withhold(state, orderId)
}
