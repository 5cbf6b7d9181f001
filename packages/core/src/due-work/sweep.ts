/**
 * Due work: what moments and terms leave to be done account by account. It follows from the state alone, so a crash loses none of
 * it: booked nights and cancelled orders tell what is done. It goes on in slices beside everything else, and comes before
 * any decision about the account it concerns.
 */
import { bookNights, type WaitingBooking } from '../overnight/overnight-swap.ts'
import type { Event } from '../event.ts'
import type { Order } from '../orders/order.ts'
import { quietReceipt } from '../receipt.ts'
import type { Core } from '../core.ts'
import type { Account, State } from '../state.ts'
import { isFinding, type Finding, type Steps } from '../steps.ts'
import { endSweep } from './sweep-cursor.ts'

/**
 * True while accounts have work that is due at `at` (epoch ms), or pending orders are past their expiry; the host gives the clock again
 * when it has time. Before the first terms there is none, for nothing of it could be done.
 */
export const hasDueWork = ({ state, sweep, triggers }: Core, at: number): boolean =>
  state.termsVersion > 0 && (sweep.isNeeded || triggers.isAnyExpired(at))

/**
 * True when an account may have due work; the cheap question asked before every decision. Once a round is over, what is left of
 * a night waits for a price, and that begins a new round.
 */
export const mayBeUnsettled = ({ sweep }: Pick<Core, 'sweep'>): boolean => sweep.isNeeded

type Settling = Generator<Event | Finding, void>

/**
 * Does what is due on one account: its nights are financed, and its pending orders withdrawn where it may open nothing, or the
 * instrument nothing more. Each event is to be applied before the next is asked for.
 */
export function* settle(core: Pick<Core, 'state' | 'sweep'>, account: Account, at: number): Settling {
  if (!mayBeUnsettled(core)) return
  for (const booking of bookNights(core.state, account)) {
    if (booking.type === 'swapBooked') yield booking
    else yield* findingOf(booking)
  }
  yield* withdrawOrders(core.state, account, at)
}

/** True when `settle` has something to do. */
export function isUnsettled(core: Pick<Core, 'state' | 'sweep'>, account: Account): boolean {
  if (!mayBeUnsettled(core)) return false
  for (const step of settle(core, account, 0)) if (!isFinding(step)) return true
  return false
}

const findingOf = ({ orderId, isTooLarge }: WaitingBooking): Finding[] =>
  isTooLarge ? [{ type: 'bookingWithheld', orderId }] : []

type Withdrawing = Pick<State, 'instruments' | 'quotes' | 'termsVersion'>

/** True when a pending order may not become a position any more. */
const isWithdrawn = ({ instruments }: Withdrawing, account: Account, order: Order): boolean =>
  order.status === 'pending' &&
  (account.status !== 'active' || instruments.get(order.instrumentId)?.isEnabled === false)

function* withdrawOrders(state: Withdrawing, account: Account, at: number): Generator<Event, void> {
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
export function* sweepAccounts({ state, sweep }: Core, at: number): Steps {
  if (!sweep.isNeeded) return
  while (sweep.next <= state.lastAccountId) {
    const account = state.accounts.get(sweep.next)
    if (account) {
      for (const booking of bookNights(state, account)) {
        if (booking.type === 'swapBooked') yield booking
        else {
          sweep.waiting = Math.min(sweep.waiting, booking.rollover)
          yield* findingOf(booking)
        }
      }
      yield* withdrawOrders(state, account, at)
    }
    sweep.next += 1
    yield null
  }
  const over = [...state.nights.keys()].filter((night) => night < sweep.waiting)
  for (const rollover of over) yield { type: 'rolledOver', rollover }
  // Only now: a slice that ends in between finds the rest again.
  endSweep(sweep)
}
