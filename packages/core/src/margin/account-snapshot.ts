import { money, NO_MONEY, type Money, type Price } from '../money/number.ts'
import type { Order, Position } from '../orders/order.ts'
import type { Exposure } from '../state.ts'

/** Of an order, what the figures of its account depend on. */
export type WeighedOrder = Pick<
  Order,
  'id' | 'instrumentId' | 'side' | 'lots' | 'leverage' | 'margin' | 'openPrice'
>

/** The same of an order that has been filled. */
export type WeighedPosition = WeighedOrder & Pick<Position, 'openPrice'>

/** What the figures of an account are worked out from; every `Account` is one. */
export type AccountSnapshot = {
  readonly available: { readonly balance: Money }
  /** By id. */
  readonly orders: ReadonlyMap<number, WeighedOrder>
  /** Its positions, summed by instrument. */
  readonly exposures: ReadonlyMap<number, Exposure>
  readonly margin: Money
  readonly reserved: Money
}

/** The sums that positions are weighed into. */
type Sums = { margin: Money; readonly exposures: Map<number, Exposure> }

/** Adds (sign 1) or takes away (sign -1) what a position weighs in its account's sums. */
export function weighPosition(sums: Sums, position: WeighedPosition, sign: 1n | -1n): void {
  sums.margin = money(sums.margin + sign * position.margin)
  addToExposure(sums.exposures, position, position.openPrice, sign)
}

function addToExposure(
  exposures: Map<number, Exposure>,
  { instrumentId, side, lots }: WeighedOrder,
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

/** An account of a balance and positions, with nothing pending. */
export function accountSnapshot(balance: Money, positions: Iterable<WeighedPosition>): AccountSnapshot {
  const orders = new Map<number, WeighedPosition>()
  const sums: Sums = { margin: NO_MONEY, exposures: new Map() }
  for (const position of positions) {
    orders.set(position.id, position)
    weighPosition(sums, position, 1n)
  }
  return { ...sums, available: { balance }, orders, reserved: NO_MONEY }
}

/** The account as it would be with one more position, to ask "what if": the account itself stays as it is. */
export function withPosition(account: AccountSnapshot, position: WeighedPosition): AccountSnapshot {
  const copy = copyOf(account)
  copy.orders.set(position.id, position)
  weighPosition(copy, position, 1n)
  return copy
}

/** The account as it would be without one of its positions, its balance as it is. */
export function withoutPosition(account: AccountSnapshot, position: WeighedPosition): AccountSnapshot {
  const copy = copyOf(account)
  copy.orders.delete(position.id)
  weighPosition(copy, position, -1n)
  return copy
}

const copyOf = ({ available, orders, exposures, margin, reserved }: AccountSnapshot) => ({
  ...{ available, margin, reserved },
  orders: new Map(orders),
  exposures: new Map([...exposures].map(([id, exposure]) => [id, { ...exposure }])),
})
