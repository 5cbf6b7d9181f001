/** Moments of the clock: full hours, the turn of the day, and changes of terms that were announced for a time. */
import { checkChange } from '../terms/decide-terms.ts'
import type { Event } from '../event.ts'
import { dueMarks, isMarkDue, markPrices } from '../overnight/overnight-swap.ts'
import type { State } from '../state.ts'

/**
 * True when a moment has passed that nobody has told of yet: nothing else happens before it. `at` is epoch ms. Until the first
 * terms are known no moment can be told of.
 */
export function isMomentDue(
  state: Pick<State, 'termsVersion' | 'lastMark' | 'announced'>,
  at: number,
): boolean {
  if (state.termsVersion === 0) return false
  if (isMarkDue(state, at)) return true
  for (const { effectiveAt } of state.announced.values()) if (effectiveAt <= at) return true
  return false
}

/** One event for each moment that has passed, in the order of time; at one moment terms come before prices. */
export function* dueMoments(state: State, at: number): Generator<Event, void> {
  const terms = [...state.announced.values()]
    .filter(({ effectiveAt }) => effectiveAt <= at)
    .map(({ effectiveAt, changeId }) => ({ moment: effectiveAt, changeId }))
  const marks = dueMarks(state, at).map((moment) => ({ moment, changeId: Infinity }))
  const moments = [...terms, ...marks].toSorted((a, b) => a.moment - b.moment || a.changeId - b.changeId)
  for (const { moment, changeId } of moments) yield momentEvent(state, moment, changeId)
}

/** An announced change that would now touch what must stay, or that is known no more, does not come. */
function momentEvent(state: State, moment: number, changeId: number): Event {
  if (changeId === Infinity) return markPrices(state, moment)
  const announced = state.announced.get(changeId)
  const isPossible = announced !== undefined && !checkChange(state, announced.change)
  return { type: isPossible ? 'termsTookEffect' : 'termsWithdrawn', changeId }
}
