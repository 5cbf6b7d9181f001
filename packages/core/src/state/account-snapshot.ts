import type { Copy } from '../model/copying.ts'
import { money, NO_MONEY, type Money, type Price } from '../model/number.ts'
import type { Order, Position } from '../model/order.ts'
import type { Exposure } from './state.ts'

/** The fields of an order that affect the figures of its account. */
export type SnapshotOrder = Pick<
  Order,
  'id' | 'instrumentId' | 'side' | 'lots' | 'leverage' | 'margin' | 'openPrice'
>

/** The same for an open position. */
export type SnapshotPosition = SnapshotOrder & Pick<Position, 'openPrice'>

/** The data from which account figures are computed; every `Account` is one. */
export type AccountSnapshot = {
  readonly available: { readonly balance: Money }
  /** By id. */
  readonly orders: ReadonlyMap<number, SnapshotOrder>
  /** Its positions, summed by instrument. */
  readonly exposures: ReadonlyMap<number, Exposure>
  readonly margin: Money
  readonly reserved: Money
  /** Of a copy: what its stop loss follows from. */
  readonly copy?: Pick<Copy, 'base' | 'stopLoss' | 'status'> | null
}

/** Sums over positions. */
type Sums = { margin: Money; readonly exposures: Map<number, Exposure> }

/** Adds (sign 1) or subtracts (sign -1) a position in its account's sums. */
export function addToSums(sums: Sums, position: SnapshotPosition, sign: 1n | -1n): void {
  sums.margin = money(sums.margin + sign * position.margin)
  addToExposure(sums.exposures, position, position.openPrice, sign)
}

function addToExposure(
  exposures: Map<number, Exposure>,
  { instrumentId, side, lots }: SnapshotOrder,
  openPrice: Price,
  sign: 1n | -1n,
): void {
  const exposure = exposures.get(instrumentId) ?? emptyExposure()
  const size = sign * BigInt(lots)
  if (side === 'buy') {
    exposure.longLots += size
    exposure.longCost += size * BigInt(openPrice)
  } else {
    exposure.shortLots += size
    exposure.shortCost += size * BigInt(openPrice)
  }
  exposure.count += Number(sign)
  if (exposure.count === 0) exposures.delete(instrumentId)
  else exposures.set(instrumentId, exposure)
}

const emptyExposure = (): Exposure => ({ longLots: 0n, longCost: 0n, shortLots: 0n, shortCost: 0n, count: 0 })

/** A snapshot with a balance and positions, without pending orders. */
export function accountSnapshot(balance: Money, positions: Iterable<SnapshotPosition>): AccountSnapshot {
  const orders = new Map<number, SnapshotPosition>()
  const sums: Sums = { margin: NO_MONEY, exposures: new Map() }
  for (const position of positions) {
    orders.set(position.id, position)
    addToSums(sums, position, 1n)
  }
  return { ...sums, available: { balance }, orders, reserved: NO_MONEY }
}

/** The account with one more position, for previews; the account itself is not changed. */
export function withPosition(account: AccountSnapshot, position: SnapshotPosition): AccountSnapshot {
  const copy = copyOf(account)
  copy.orders.set(position.id, position)
  addToSums(copy, position, 1n)
  return copy
}

/** The account without one of its positions, with its balance unchanged. */
export function withoutPosition(account: AccountSnapshot, position: SnapshotPosition): AccountSnapshot {
  const copy = copyOf(account)
  copy.orders.delete(position.id)
  addToSums(copy, position, -1n)
  return copy
}

const copyOf = ({ available, orders, exposures, margin, reserved }: AccountSnapshot) => ({
  available,
  margin,
  reserved,
  orders: new Map(orders),
  exposures: new Map([...exposures].map(([id, exposure]) => [id, { ...exposure }])),
})
