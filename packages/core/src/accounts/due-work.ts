/**
 * Due work: what is left to do for each account after a moment has passed or terms have changed. It follows from the
 * state alone, so a crash loses none of it: booked rollovers and cancelled orders record what is done. It proceeds in
 * slices between other commands, and before any decision about the account concerned.
 */
import { bookSwaps, type WaitingBooking } from '../money/overnight-swap.ts'
import type { Event } from '../model/event.ts'
import type { Order } from '../model/order.ts'
import { quietReceipt } from '../model/receipt.ts'
import { type Core, endSweep } from '../state/running-core.ts'
import type { Account, State } from '../state/state.ts'
import { isFinding, type Finding, type Steps } from '../state/work-in-steps.ts'

/**
 * True while accounts, strategies or copies have due work at `at` (epoch ms), or pending orders or alerts have expired; the host
 * then sends the clock again when it has time. False before the first terms, because nothing could be done.
 */
export const hasDueWork = ({ state, sweep, triggers, alerts, copyWork }: Core, at: number): boolean =>
  state.termsVersion > 0 &&
  (sweep.isNeeded ||
    triggers.isAnyExpired(at) ||
    alerts.isAnyOver(at) ||
    copyWork.copies.size > 0 ||
    copyWork.strategies.size > 0 ||
    state.monthEnds.size > 0)

/**
 * True when an account may have due work: a cheap check before every decision. After a complete round only rollovers
 * without a price are left, and that price starts a new round.
 */
export const mayBeUnsettled = ({ sweep }: Pick<Core, 'sweep'>): boolean => sweep.isNeeded

type Settling = Generator<Event | Finding, void>

/**
 * Does the due work of one account: books its swaps, and cancels its pending orders where the account or the
 * instrument no longer allows opening. Each event must be applied before the next is requested.
 */
export function* settle(core: Pick<Core, 'state' | 'sweep'>, account: Account, at: number): Settling {
  if (!mayBeUnsettled(core)) return
  for (const booking of bookSwaps(core.state, account)) {
    if (booking.type === 'swapBooked') yield booking
    else yield* findingOf(booking)
  }
  yield* cancelBarredOrders(core.state, account, at)
}

/** True when `settle` has something to do. */
export function isUnsettled(core: Pick<Core, 'state' | 'sweep'>, account: Account): boolean {
  if (!mayBeUnsettled(core)) return false
  for (const step of settle(core, account, 0)) if (!isFinding(step)) return true
  return false
}

const findingOf = ({ orderId, isTooLarge }: WaitingBooking): Finding[] =>
  isTooLarge ? [{ type: 'bookingDeferred', orderId }] : []

type OrderRules = Pick<State, 'instruments' | 'quotes' | 'termsVersion' | 'rulesVersion'>

/** True when a pending order may no longer become a position. */
const isBarredForGood = ({ instruments }: OrderRules, account: Account, order: Order): boolean =>
  order.status === 'pending' &&
  (account.status !== 'active' || instruments.get(order.instrumentId)?.isEnabled === false)

function* cancelBarredOrders(state: OrderRules, account: Account, at: number): Generator<Event, void> {
  const barred = [...account.orders.values()].filter((order) => isBarredForGood(state, account, order))
  for (const order of barred.toSorted((a, b) => a.id - b.id)) {
    const quote = state.quotes.get(order.instrumentId)
    const about = {
      quote,
      requestedPrice: order.targetPrice,
      at,
      terms: state.termsVersion,
      rules: state.rulesVersion,
    }
    yield {
      type: 'orderCancelled',
      orderId: order.id,
      accountId: order.accountId,
      reason: 'withdrawnByOperator',
      receipt: quietReceipt('cancel', 'operator', about),
    }
  }
}

/**
 * One round over all accounts, from where the last slice stopped; at its end the rollovers with nothing left to
 * book are complete.
 */
export function* sweepAccounts({ state, sweep }: Core, at: number): Steps {
  if (!sweep.isNeeded) return
  while (sweep.next <= state.lastAccountId) {
    const account = state.accounts.get(sweep.next)
    if (account) {
      for (const booking of bookSwaps(state, account)) {
        if (booking.type === 'swapBooked') yield booking
        else {
          sweep.waiting = Math.min(sweep.waiting, booking.rollover)
          yield* findingOf(booking)
        }
      }
      yield* cancelBarredOrders(state, account, at)
    }
    sweep.next += 1
    yield null
  }
  const complete = [...state.rollovers.keys()].filter((openRollover) => openRollover < sweep.waiting)
  for (const rollover of complete) yield { type: 'rolledOver', rollover }
  // Only at the end: a slice that ends earlier leaves the rest to the next one.
  endSweep(sweep)
}
