/** Takes the steps of a tick or of the time, as many as a budget allows. */
import type { Core } from './core.ts'
import type { Event } from './event.ts'
import { canBook } from './money/booking-range.ts'
import { apply, begin, finish, MOST_WATCHED, watchTouched, type Outcome, type Progress } from './outcome.ts'
import { isFinding, type Budget, type Finding, type Steps, type Underway } from './steps.ts'

/** Goes on with a tick until it is done or the budget is spent; `core.underway` keeps what is left of it. */
export function proceed(core: Core, underway: Underway, budget: Budget): Outcome {
  const progress = begin(core, underway.at, underway.author)
  const isDone = take(progress, underway.steps, budget)
  core.underway = isDone ? null : underway
  // Not after each slice: a tick that ends many positions of an account touches it in many of them.
  if (isDone) watchTouched(core, MOST_WATCHED)
  return finish(progress, null, !isDone)
}

/** Takes steps until they are done, or the budget is spent; true when they are done. */
export function take(progress: Progress, steps: Steps, budget: Budget): boolean {
  for (let looks = 0; looks < budget.looks && progress.events.length < budget.events; looks += 1) {
    const { done, value } = steps.next()
    if (done) return true
    if (!value) continue
    if (isFinding(value)) note(progress.core, value)
    else book(progress, value)
  }
  return false
}

function note({ touched, withheld }: Core, finding: Finding): void {
  if (finding.type === 'accountTouched') touched.add(finding.accountId)
  else withheld.add(finding.orderId)
}

/** What is larger than can be booked does not happen: the order stays, and the next tick or night tries again. */
function book(progress: Progress, event: Event): void {
  const { state, withheld } = progress.core
  const orderId = 'orderId' in event ? event.orderId : null
  if (canBook(state, [event])) {
    apply(progress, [event])
    if (orderId !== null) withheld.delete(orderId)
  } else if (orderId !== null) withheld.add(orderId)
}

/** Ids of the orders for which something was not booked since the last asking because it does not fit; ascending. */
export function takeWithheld({ withheld }: Pick<Core, 'withheld'>): number[] {
  const ids = [...withheld].toSorted((a, b) => a - b)
  withheld.clear()
  return ids
}
