import { AlertBook } from './alert-book.ts'
import { MarginWatch } from './margin-watch.ts'
import { ProviderEquities } from './provider-equities.ts'
import { TriggerBook } from './trigger-book.ts'
import { type Account, createState, type State } from './state.ts'
import type { UnfinishedWork } from './work-in-steps.ts'
import type { Instrument } from '../model/instrument.ts'
import { openBy } from '../model/opening-hours.ts'
import { addToSums } from './account-snapshot.ts'
import { money } from '../model/number.ts'
import { isPosition, type Order } from '../model/order.ts'

/** Whether an instrument's market is open at a time; a pure function of its arguments. */
export type IsOpen = (instrument: Instrument, at: number) => boolean

/** The input of a decision: the state, and the trading hours that follow from it. */
export type DecisionContext = { readonly state: State; readonly isOpen: IsOpen }

/**
 * The running core: its state, indexes that are rebuilt from the state, and work in progress that lives only as long
 * as the process. Only `transact` and `evolve` change it.
 */
export type Core = DecisionContext & {
  /** Index of the active orders by the prices and times they wait for. */
  readonly triggers: TriggerBook
  /** Index of accounts by the prices at which their margin level must be checked again. */
  readonly marginWatch: MarginWatch
  /** The equities of providers since the last full hour. */
  readonly providerEquities: ProviderEquities
  /** Index of the alerts by what they wait for. */
  readonly alerts: AlertBook
  /** Accounts whose stop-out price band must be computed again. */
  readonly dirtyAccounts: Set<number>
  /** Progress of the round over all accounts. */
  readonly sweep: Sweep
  /** A tick, or what a command causes in copies, that is not complete yet. */
  unfinished: UnfinishedWork | null
  /** Copies and strategies that are due to end, and copies with a fee to charge. */
  readonly copyWork: CopyWork
  /** Orders with a deferred booking, because its amounts are out of the booking range. */
  readonly deferredOrders: Set<number>
  /** The journal row of the current decisions; set by the host. */
  journalRow: number
}

/** Options of the host. */
export type Host = {
  /** The time of the start, epoch ms: earlier quotes trigger nothing. Left out: quotes count by their age alone. */
  readonly freshSince?: number
  /** Replaces the calendar and the sources of the journal, for tests. */
  readonly isOpen?: IsOpen
}

/** A core before the first event, without terms, accounts and prices. */
export function createCore({ freshSince, isOpen }: Host = {}): Core {
  const state = createState(freshSince)
  return {
    state,
    isOpen: isOpen ?? openBy(state.calendar, state.sources),
    triggers: new TriggerBook(),
    marginWatch: new MarginWatch(),
    providerEquities: new ProviderEquities(),
    alerts: new AlertBook(),
    dirtyAccounts: new Set(),
    sweep: newSweep(),
    unfinished: null,
    copyWork: { strategies: new Set(), copies: new Set(), ending: new Set() },
    deferredOrders: new Set(),
    journalRow: 0,
  }
}

/** Due work of copying, by account. It follows from the state (`findCopyWork`). */
export type CopyWork = {
  /** Strategies that end. */
  readonly strategies: Set<number>
  /** Copies to look at once: they end, or owe the fee of a month's end. */
  readonly copies: Set<number>
  /** Copies that end, with positions that wait for a fresh price of their markets. */
  readonly ending: Set<number>
}

/** Progress of the round over all accounts. In memory only: after a start a new round finds the rest. */
export type Sweep = {
  /** The next account. */
  next: number
  isNeeded: boolean
  /** The oldest rollover that this round found without a price, epoch ms. */
  waiting: number
}

/** No round is needed. */
export const newSweep = (): Sweep => ({ next: 1, isNeeded: false, waiting: Infinity })

/** Starts the round again, because accounts already passed may have new work. */
export function needSweep(sweep: Sweep): void {
  Object.assign(sweep, newSweep(), { isNeeded: true })
}

/** Ends the round. */
export function endSweep(sweep: Sweep): void {
  Object.assign(sweep, newSweep())
}

/** Adds (sign 1) or subtracts (sign -1) an order in its account's sums. */
function addOrderToSums(account: Account, order: Order, sign: 1n | -1n): void {
  if (isPosition(order)) addToSums(account, order, sign)
  else account.reserved = money(account.reserved + sign * (order.margin + order.fee))
}

/** Adds an active order to every index: lists, sums and triggers; the account of a position becomes dirty. */
export function indexOrder(
  { state, triggers, dirtyAccounts }: Pick<Core, 'state' | 'triggers' | 'dirtyAccounts'>,
  account: Account,
  order: Order,
): void {
  state.orders.set(order.id, order)
  account.orders.set(order.id, order)
  if (order.copied) account.copy?.orders.set(order.copied.orderId, order.id)
  addOrderToSums(account, order, 1n)
  if (order.status === 'holding') dirtyAccounts.add(account.id)
  triggers.watch(order)
  state.lastOrderId = Math.max(state.lastOrderId, order.id)
}

/** Removes an order from every index. */
export function unindexOrder(
  { state, triggers }: Pick<Core, 'state' | 'triggers'>,
  account: Account,
  order: Order,
): void {
  addOrderToSums(account, order, -1n)
  triggers.forget(order.id)
  account.orders.delete(order.id)
  if (order.copied) account.copy?.orders.delete(order.copied.orderId)
  state.orders.delete(order.id)
}
