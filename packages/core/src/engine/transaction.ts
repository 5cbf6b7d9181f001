/** A transaction: collects the events of one command, or of one slice of a long tick. */
import { watchEquity } from '../copying/equity-range.ts'
import type { Author } from '../model/author.ts'
import type { Entry, Event, Request } from '../model/event.ts'
import { evolveEvent } from './evolve.ts'
import type { TrailedStop } from '../orders/trailing-stop.ts'
import type { Posting } from '../model/ledger.ts'
import { watchMarginAlerts } from '../alerts/fire-alerts.ts'
import { stopOutPriceBands } from '../margin/stop-out-price-band.ts'
import type { Core } from '../state/running-core.ts'
import { canBook } from '../money/booking-range.ts'
import {
  type Budget,
  type Finding,
  isFinding,
  type Steps,
  type UnfinishedWork,
} from '../state/work-in-steps.ts'

/** A command that took effect. An entry without events changed nothing and need not be kept. */
export type Outcome = {
  readonly entry: Entry
  readonly postings: readonly Posting[]
  /** Trailing stops that moved: the events contain only the price they follow. */
  readonly trailed: readonly TrailedStop[]
  /** The journal row of the request when it was first accepted; null when it was carried out now. */
  readonly repeatOf: number | null
  /**
   * True when there is more to do: the same command must be given again before any other, with the same time if it is
   * a tick.
   */
  readonly hasMore: boolean
  /**
   * True while copies still follow what is in this entry. Everything up to the end of it belongs to one journal row:
   * `followOn` is called until this is false, and only then may the row be written. In between, commands of other
   * accounts may be decided (`mayDecideMeanwhile`), at the same time and into the same row.
   */
  readonly isRowOpen: boolean
}

/** A transaction in progress: every decision is based on those before it. */
export type Progress = {
  readonly core: Core
  readonly at: number
  readonly author: Author
  readonly events: Event[]
  readonly postings: Posting[]
  readonly trailed: TrailedStop[]
}

export const begin = (core: Core, at: number, author: Author): Progress => ({
  core,
  at,
  author,
  events: [],
  postings: [],
  trailed: [],
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
  const isRowOpen = progress.core.unfinished?.isRowOpen ?? false
  return { entry: { at, author, request, events }, postings, trailed, repeatOf: null, hasMore, isRowOpen }
}

/** Limit of stop-out price bands computed at a time: a higher stop-out level concerns all accounts at once. */
export const MAX_BANDS_AT_ONCE = 500

/**
 * Computes the price bands of changed accounts, for the stop-out and for alerts on the margin level, or of the first
 * `most` of them, and watches the equities of providers. `transact` does so before each tick; after a restart the host
 * calls it until `dirtyAccounts` is empty.
 */
export function watchDirtyAccounts(core: Core, limit = Infinity): void {
  const { state, dirtyAccounts, marginWatch } = core
  let count = 0
  for (const id of dirtyAccounts) {
    if ((count += 1) > limit) return
    const account = state.accounts.get(id)
    if (account) {
      marginWatch.watch(id, stopOutPriceBands(state, account))
      watchMarginAlerts(core, account)
      watchEquity(core, account)
    }
    dirtyAccounts.delete(id)
  }
}

/**
 * Continues a tick, or what a command causes in copies, until it is done, another author follows or the budget is
 * spent; `core.unfinished` keeps the rest.
 */
export function proceed(core: Core, work: UnfinishedWork, budget: Budget): Outcome {
  const progress = begin(core, work.at, work.following ?? work.author)
  core.unfinished = work
  const isDone = takeSteps(progress, work.steps, budget)
  if (isDone) core.unfinished = null
  // Not after each slice, because a tick that closes many positions changes an account in many slices.
  if (isDone) watchDirtyAccounts(core, MAX_BANDS_AT_ONCE)
  return finish(progress, null, !isDone)
}

/** Takes steps until they are done, the author changes or the budget is spent; true when they are done. */
export function takeSteps(progress: Progress, steps: Steps, budget: Budget): boolean {
  for (let checks = 0; checks < budget.checks && progress.events.length < budget.events; checks += 1) {
    const { done, value } = steps.next()
    if (done) return true
    if (!value) continue
    if (!isFinding(value)) bookIfInRange(progress, value)
    else if (recordFinding(progress.core, value)) return false
  }
  return false
}

/** Records a finding; true when the entry ends here, because what follows has another author. */
function recordFinding({ dirtyAccounts, deferredOrders, unfinished }: Core, finding: Finding): boolean {
  switch (finding.type) {
    case 'accountDirty':
      dirtyAccounts.add(finding.accountId)
      return false
    case 'bookingDeferred':
      deferredOrders.add(finding.orderId)
      return false
    case 'rowOpens':
      if (unfinished) unfinished.isRowOpen = true
      return false
    case 'copiesFollow':
      if (unfinished) unfinished.following = finding.author
      return true
    case 'rowCloses': {
      // What a command causes ends here, and so does its row.
      if (unfinished?.author.type !== 'market') return false
      const isOther = unfinished.following !== null
      Object.assign(unfinished, { isRowOpen: false, following: null })
      return isOther
    }
  }
}

/** Amounts outside the booking range are not booked: the order stays, and the next tick or rollover tries again. */
function bookIfInRange(progress: Progress, event: Event): void {
  const { state, deferredOrders } = progress.core
  const orderId = 'orderId' in event ? event.orderId : null
  if (canBook(state, [event])) {
    apply(progress, [event])
    if (orderId !== null) deferredOrders.delete(orderId)
  } else if (orderId !== null) deferredOrders.add(orderId)
}

/** Ids of orders with a deferred booking since the last call, ascending. */
export function takeDeferredOrders({ deferredOrders }: Pick<Core, 'deferredOrders'>): number[] {
  const ids = [...deferredOrders].toSorted((a, b) => a - b)
  deferredOrders.clear()
  return ids
}
