/** Work that may be too much for one transaction: a tick that fires thousands, a round over all accounts. */
import type { Author } from './author.ts'
import type { Event } from './event.ts'

/** What deciding finds out besides events: it is kept in memory, and not in the journal. */
export type Finding =
  /** The account's safe prices have to be worked out anew. */
  | { readonly type: 'accountTouched'; readonly accountId: number }
  /** Something of the order was not booked, because it is larger than can be. */
  | { readonly type: 'bookingWithheld'; readonly orderId: number }

/**
 * What a tick or the time leads to, a step at a time. Each event is applied, and each finding noted, before the next step is asked
 * for; `null` is a look that led to nothing.
 */
export type Steps = Generator<Event | Finding | null, void>

/** A tick that was interrupted. It lives in memory only: after a restart the next tick begins anew. */
export type Underway = { readonly at: number; readonly author: Author; readonly steps: Steps }

/** How much one call of `transact` does at most, more or less. */
export type Budget = { readonly events: number; readonly looks: number }

/** Of a tick: nothing else goes on before it is done. */
export const BUDGET: Budget = { events: 500, looks: 2_000 }

/**
 * Of due work: whoever comes meanwhile waits for the end of a slice. It is small also because a garbage collection under way takes its time
 * wherever something is allocated, and makes the same turn of the loop many times as long.
 */
export const SLICE_BUDGET: Budget = { events: 100, looks: 2_000 }

export const isFinding = (step: Event | Finding): step is Finding =>
  step.type === 'accountTouched' || step.type === 'bookingWithheld'
