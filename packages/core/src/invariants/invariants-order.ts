import type { Order } from '../orders/order.ts'
import type { State } from '../state.ts'

/** A living order is known to its account, waits or holds, and carries what its status needs. */
export function* orderFaults(state: State): Generator<string> {
  let listed = 0
  for (const account of state.accounts.values()) listed += account.orders.size
  if (listed !== state.orders.size)
    yield `accounts list ${listed} living orders, the state knows ${state.orders.size}`
  yield* faultsOfOrders(state, state.orders.values())
}

/** The same for some of the orders. */
export function* faultsOfOrders(state: State, orders: Iterable<Order>): Generator<string> {
  for (const order of orders) {
    for (const fault of faultsOf(state, order)) yield `order ${order.id}: ${fault}`
  }
}

function* faultsOf(state: State, order: Order): Generator<string> {
  if (state.accounts.get(order.accountId)?.orders.get(order.id) !== order)
    yield `account ${order.accountId} does not list it`
  if (order.id > state.lastOrderId) yield `its id is above the last one given, ${state.lastOrderId}`
  if (!Number.isSafeInteger(order.lots) || order.lots <= 0) yield `holds ${order.lots} lots`
  if (order.margin < 0n || order.fee < 0n) yield `margin ${order.margin} or fee ${order.fee} is below zero`
  const isFilled = order.openPrice !== null && order.openPrice > 0 && order.openedAt !== null
  const isWaiting = order.openPrice === null && order.openedAt === null && order.targetPrice !== null
  if (order.status === 'holding' ? !isFilled : !isWaiting) yield `is ${order.status} without being it`
}
