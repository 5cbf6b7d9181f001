import type { Core } from '../core.ts'
import { weighPosition } from '../margin/account-snapshot.ts'
import { money } from '../money/number.ts'
import type { Account } from '../state.ts'
import { isHolding, type Order } from './order.ts'

/** Adds (sign 1) or takes away (sign -1) what an order weighs in its account's sums. */
function weigh(account: Account, order: Order, sign: 1n | -1n): void {
  if (isHolding(order)) weighPosition(account, order, sign)
  else account.reserved = money(account.reserved + sign * (order.margin + order.fee))
}

/** Takes a living order into every index: lists, sums and triggers; a position's account is to be watched anew. */
export function indexOrder(
  { state, triggers, touched }: Pick<Core, 'state' | 'triggers' | 'touched'>,
  account: Account,
  order: Order,
): void {
  state.orders.set(order.id, order)
  account.orders.set(order.id, order)
  weigh(account, order, 1n)
  if (order.status === 'holding') touched.add(account.id)
  triggers.watch(order)
  state.lastOrderId = Math.max(state.lastOrderId, order.id)
}

/** Takes an order out of every index. */
export function unindexOrder(
  { state, triggers }: Pick<Core, 'state' | 'triggers'>,
  account: Account,
  order: Order,
): void {
  weigh(account, order, -1n)
  triggers.forget(order.id)
  account.orders.delete(order.id)
  state.orders.delete(order.id)
}
