import type { AccountFigures } from '@fairlot/contract'
import {
  fromTicks,
  isBeyond,
  isHolding,
  stopOutPrice,
  stopOutPriceOnceOpen,
  type Account,
  type Order,
  type Position,
  type Price,
  type State,
} from '@fairlot/core'

/** The price at which each position's account would be stopped out, the newest position first. */
export function stopOutsOf(state: State, account: Account): AccountFigures['stopOuts'] {
  // Positions on one side of an instrument share theirs.
  const known = new Map<string, Price | null>()
  const priceOf = (order: Order): Price | null => {
    const place = `${order.instrumentId} ${order.side}`
    const found = known.has(place) ? known.get(place) : stopOutPrice(state, account, order)
    known.set(place, found ?? null)
    return found ?? null
  }
  const positions = [...account.orders.values()].filter(isHolding).toSorted((a, b) => b.id - a.id)
  return positions.flatMap((order) => {
    const price = priceOf(order)
    const instrument = state.instruments.get(order.instrumentId)
    if (price === null || !instrument) return []
    return { orderId: order.id, price: fromTicks(price, instrument.priceDecimals) }
  })
}

/**
 * True where the account would be stopped out before the stop loss of this order is reached, at the prices of now; a
 * pending order is looked at as if it had just opened at its target.
 */
export function isBeyondStopOut(state: State, accountId: number, orderId: number): boolean {
  const account = state.accounts.get(accountId)
  const order = account?.orders.get(orderId)
  if (!account || !order || order.stopLoss === null) return false
  if (isHolding(order)) return isBeyond(order, stopOutPrice(state, account, order))
  if (order.targetPrice === null) return false
  const opened: Position = { ...order, status: 'holding', openPrice: order.targetPrice }
  return isBeyond(order, stopOutPriceOnceOpen(state, account, opened))
}
