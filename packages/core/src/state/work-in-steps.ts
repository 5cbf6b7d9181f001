/**
 * Work that may be too much for one transaction: a tick that triggers thousands of orders, or a round over all
 * accounts.
 */
import type { Author, CopyAuthor } from '../model/author.ts'
import type { Event } from '../model/event.ts'

/** A result of a decision besides events, kept in memory and not in the journal. */
export type Finding =
  /** The account's stop-out price band must be computed again. */
  | { readonly type: 'accountDirty'; readonly accountId: number }
  /** A booking of the order was deferred, because it is out of the booking range. */
  | { readonly type: 'bookingDeferred'; readonly orderId: number }
  /** The journal row must not end before what a provider's event causes in copies is in it. */
  | { readonly type: 'rowOpens' }
  /** The copies follow, in entries of their own. */
  | { readonly type: 'copiesFollow'; readonly author: CopyAuthor }
  | { readonly type: 'rowCloses' }

/**
 * The effects of a tick or of time, step by step. Each event is applied, and each finding recorded, before the next
 * step is requested; `null` is a check without effect.
 */
export type Steps = Generator<Event | Finding | null, void>

/**
 * Interrupted work of a tick, or of what a command causes in copies. In memory only: after a restart the next tick
 * starts again, and of a command nothing is in the journal or everything.
 */
export type UnfinishedWork = {
  readonly at: number
  readonly author: Author
  readonly steps: Steps
  /** While copies follow: the author of their entries. */
  following: CopyAuthor | null
  /** True from a provider's event until all its copies have followed. */
  isRowOpen: boolean
}

/** Approximate limits of the work that one call of `transact` does. */
export type Budget = { readonly events: number; readonly checks: number }

/** The budget of a tick: no other command is processed before the tick is done. */
export const BUDGET: Budget = { events: 500, checks: 2_000 }

/**
 * The budget of due work: a command that arrives meanwhile waits for the end of a slice. It is small also because a
 * garbage collection in progress slows down every allocation and makes a turn of the event loop many times longer.
 */
export const SLICE_BUDGET: Budget = { events: 100, checks: 2_000 }

/**
 * The budget of copies that follow a provider: no tick is processed meanwhile, but orders of other accounts are decided
 * between two slices.
 */
export const FOLLOW_BUDGET: Budget = { events: 200, checks: 1_000 }

const FINDINGS: ReadonlySet<string> = new Set<Finding['type']>([
  'accountDirty',
  'bookingDeferred',
  'rowOpens',
  'copiesFollow',
  'rowCloses',
])

export const isFinding = (step: Event | Finding): step is Finding => FINDINGS.has(step.type)
