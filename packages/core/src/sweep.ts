/**
 * Due work: what moments and terms leave to be done account by account. It follows from the state alone, so a crash loses none of
 * it: booked nights and cancelled orders tell what is done. It goes on in slices beside everything else, and comes before
 * any decision about the account it concerns.
 */
import { bookNights } from './night.ts'
import type { Event } from './event.ts'
import type { Order } from './order.ts'
import { quietReceipt } from './receipt.ts'
import type { Account, State } from './state.ts'
import type { Steps } from './steps.ts'

/** How far the accounts have been gone through. Lives in memory only: a start begins anew, and finds what is left. */
export type Sweep = {
  /** The account to look at next. */
  next: number
  isNeeded: boolean
  /** The oldest night that this round has found without a price, epoch ms. */
  waiting: number
}

export const newSweep = (): Sweep => ({ next: 1, isNeeded: false, waiting: Infinity })

/**
 * True while accounts have work that is due; the host gives the clock again when it has time. Before the first terms there is
 * none, for nothing of it could be done.
 */
export const hasDueWork = (state: State): boolean => state.termsVersion > 0 && state.sweep.isNeeded

/** New work is due on accounts that the round may have passed: it begins anew. */
export function needSweep(state: State): void {
  Object.assign(state.sweep, newSweep(), { isNeeded: true })
}

/**
 * True when an account may have due work; the cheap question asked before every decision. Once a round is over, what is left of
 * a night waits for a price, and that begins a new round.
 */
const mayBeUnsettled = ({ sweep }: State): boolean => sweep.isNeeded

/**
 * Does what is due on one account: its nights are financed, and its pending orders withdrawn where it may open nothing, or the
 * instrument nothing more. Each event is to be applied before the next is asked for.
 */
export function* settle(state: State, account: Account, at: number): Generator<Event, void> {
  if (!mayBeUnsettled(state)) return
  for (const booking of bookNights(state, account)) if ('type' in booking) yield booking
  yield* withdrawOrders(state, account, at)
}

/** True when `settle` has something to do. */
export const isUnsettled = (state: State, account: Account): boolean =>
  mayBeUnsettled(state) && settle(state, account, 0).next().done === false

/** True when a pending order may not become a position any more. */
const isWithdrawn = (state: State, account: Account, order: Order): boolean =>
  order.status === 'pending' &&
  (account.status !== 'active' || state.instruments.get(order.instrumentId)?.isEnabled === false)

function* withdrawOrders(state: State, account: Account, at: number): Generator<Event, void> {
  const withdrawn = [...account.orders.values()].filter((order) => isWithdrawn(state, account, order))
  for (const order of withdrawn.toSorted((a, b) => a.id - b.id)) {
    const quote = state.quotes.get(order.instrumentId)
    const about = { quote, requestedPrice: order.targetPrice, at, terms: state.termsVersion }
    yield {
      type: 'orderCancelled',
      orderId: order.id,
      accountId: order.accountId,
      reason: 'withdrawnByOperator',
      receipt: quietReceipt('cancel', 'operator', about),
    }
  }
}

/** One round over all accounts, from where the last slice stopped; at its end the nights that nothing waits for are over. */
export function* sweepAccounts(state: State, at: number): Steps {
  const { sweep } = state
  if (!sweep.isNeeded) return
  while (sweep.next <= state.lastAccountId) {
    const account = state.accounts.get(sweep.next)
    if (account) {
      for (const booking of bookNights(state, account)) {
        if ('type' in booking) yield booking
        else sweep.waiting = Math.min(sweep.waiting, booking.waiting)
      }
      yield* withdrawOrders(state, account, at)
    }
    sweep.next += 1
    yield null
  }
  const over = [...state.nights.keys()].filter((night) => night < sweep.waiting)
  for (const rollover of over) yield { type: 'rolledOver', rollover }
  // Only now: a slice that ends in between finds the rest again.
  Object.assign(sweep, newSweep())
}
