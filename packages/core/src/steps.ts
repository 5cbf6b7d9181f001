/** Work that may be too much for one transaction: a tick that fires thousands, a night's financing. */
import type { Event } from './event.ts'
import { canBook, withhold } from './money-range.ts'
import { apply, begin, finish, watchTouched, type Outcome, type Progress } from './outcome.ts'
import type { State } from './state.ts'

/**
 * What a tick or the time leads to, a step at a time. Each event is applied before the next step is asked for; `null` is
 * a look that led to nothing.
 */
export type Steps = Generator<Event | null, void>

/** Work that was interrupted. It lives in memory only: after a restart the next tick or the clock begins it anew. */
export type Underway = {
  readonly type: string
  readonly at: number
  readonly steps: Steps
  /** True for what has to be done before the command itself is looked at. */
  readonly isPrelude: boolean
}

/** How much one call of `transact` does at most, more or less. */
export type Budget = { readonly events: number; readonly looks: number }

export const BUDGET: Budget = { events: 500, looks: 2_000 }

/** Goes on with the work until it is done or the budget is spent. */
export function proceed(state: State, underway: Underway, budget: Budget): Outcome {
  state.underway = underway
  const progress = begin(state, underway.at)
  goOn(progress, underway, budget)
  watchTouched(state)
  return finish(progress, null, state.underway !== null || underway.isPrelude)
}

function goOn(progress: Progress, { steps }: Underway, budget: Budget): void {
  for (let looks = 0; looks < budget.looks && progress.events.length < budget.events; looks += 1) {
    const { done, value } = steps.next()
    if (done) {
      progress.state.underway = null
      return
    }
    if (value) book(progress, value)
  }
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
