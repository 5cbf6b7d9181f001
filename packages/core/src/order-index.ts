import { money, type Price } from './number.ts'
import type { Order, Position } from './order.ts'
import type { Account, Exposure, State } from './state.ts'

/** Adds (sign 1) or takes away (sign -1) what an order weighs in its account's sums. */
function weigh(account: Account, order: Order, sign: 1n | -1n): void {
  if (order.status === 'pending') {
    account.reserved = money(account.reserved + sign * (order.margin + order.fee))
    return
  }
  account.margin = money(account.margin + sign * order.margin)
  if (order.openPrice !== null) addToExposure(account, order, order.openPrice, sign)
}

function addToExposure(account: Account, order: Order, openPrice: Price, sign: 1n | -1n): void {
  const exposure = account.exposures.get(order.instrumentId) ?? emptyExposure()
  const size = sign * BigInt(order.lots)
  if (order.side === 'buy') {
    exposure.longLots += size
    exposure.longCost += size * BigInt(openPrice)
  } else {
    exposure.shortLots += size
    exposure.shortCost += size * BigInt(openPrice)
  }
  exposure.count += Number(sign)
  if (exposure.count === 0) account.exposures.delete(order.instrumentId)
  else account.exposures.set(order.instrumentId, exposure)
}

const emptyExposure = (): Exposure => ({ longLots: 0n, longCost: 0n, shortLots: 0n, shortCost: 0n, count: 0 })

/** Takes a living order into every index: lists, sums and triggers; a position's account is to be watched anew. */
export function indexOrder(state: State, account: Account, order: Order): void {
  state.orders.set(order.id, order)
  account.orders.set(order.id, order)
  weigh(account, order, 1n)
  if (order.status === 'holding') state.touched.add(account.id)
  state.triggers.watch(order)
  state.lastOrderId = Math.max(state.lastOrderId, order.id)
}

/** Takes an order out of every index. */
export function unindexOrder(state: State, account: Account, order: Order): void {
  weigh(account, order, -1n)
  state.triggers.forget(order.id)
  account.orders.delete(order.id)
  state.orders.delete(order.id)
}

/** The account as it would be with one more position, to ask "what if": the account itself stays as it is. */
export function withPosition(account: Account, position: Position): Account {
  const copy = copyOf(account)
  copy.orders.set(position.id, position)
  weigh(copy, position, 1n)
  return copy
}

/** The account as it would be without one of its positions, its balance as it is. */
export function withoutPosition(account: Account, position: Position): Account {
  const copy = copyOf(account)
  copy.orders.delete(position.id)
  weigh(copy, position, -1n)
  return copy
}

function copyOf(account: Account): Account {
  const exposures = new Map([...account.exposures].map(([id, exposure]) => [id, { ...exposure }]))
  return { ...account, exposures, orders: new Map(account.orders) }
}
