/** What users request for their orders: closing, partial closing, cancelling, reversing, stops and trailing stops. */
import {
  lots,
  price,
  type CancelOrder,
  type CloseAll,
  type ClosePosition,
  type Lots,
  type ReversePosition,
  type SetStops,
  type SetTrailing,
} from '../src/index.ts'
import { profileOf, stopsAround } from './order-maker.ts'
import type { Scene } from './scene.ts'
import { barOf, referenceMarket } from './reference/market.ts'
import { swapDue } from './reference/overnight-swap.ts'
import { closingAt, instrumentOf, isHeld, type ReferenceOrder } from './reference/state.ts'

/** Mostly an own order in the wanted state; else another user's, a closed one, one in another state, or none. */
function chooseOrder(scene: Scene, accountId: number, wanted: ReferenceOrder['status']): number {
  const { random, model } = scene
  const draw = random.int(1, 100)
  const own = model.active.filter((order) => order.accountId === accountId)
  const group =
    draw <= 86
      ? own.filter((order) => order.status === wanted)
      : draw <= 90
        ? own
        : draw <= 93
          ? model.active
          : draw <= 97
            ? model.ended.slice(-30)
            : []
  return group.length > 0 ? random.pick(group).orderId : random.pick([0, -1, 99_999_999])
}

/** Mostly an account with an order in the wanted state, mostly one that can be traded now. */
function chooseAccount(
  { random, model, at }: Scene,
  accountId: number,
  wanted: ReferenceOrder['status'],
): number {
  const orders = model.active.filter((order) => order.status === wanted)
  const tradable = orders.filter((order) => barOf(model, instrumentOf(model, order), at, 'closing') === null)
  const group = tradable.length > 0 && random.chance(60) ? tradable : orders
  return group.length > 0 && random.chance(92) ? random.pick(group).accountId : accountId
}

/** Positions with a swap that can be booked now: their owner's next command must wait for it. */
const positionsWithSwapDue = ({ model, at }: Scene): ReferenceOrder[] =>
  model.active
    .filter(isHeld)
    .filter((order) =>
      model.rollovers.some((openRollover) => (swapDue(model, order, openRollover) ?? 0n) !== 0n),
    )
    .filter((order) => referenceMarket(model, instrumentOf(model, order), at) !== null)

/** Mostly an own position; while swaps are outstanding, often a position that has one. */
export function choosePosition(scene: Scene, anyAccount: number): { accountId: number; orderId: number } {
  const owed = scene.random.chance(60) ? positionsWithSwapDue(scene) : []
  if (owed.length > 0) return scene.random.pick(owed)
  const accountId = chooseAccount(scene, anyAccount, 'holding')
  return { accountId, orderId: chooseOrder(scene, accountId, 'holding') }
}

const activeOrder = ({ model }: Scene, orderId: number): ReferenceOrder | undefined =>
  model.active.find((order) => order.orderId === orderId)

export function closePosition(scene: Scene, anyAccount: number): ClosePosition {
  const { at, random } = scene
  const { accountId, orderId } = choosePosition(scene, anyAccount)
  const whole = { type: 'closePosition', at, accountId, orderId } as const
  const order = activeOrder(scene, orderId)
  if (!order || random.chance(50)) return random.chance(80) ? whole : { ...whole, lots: null }
  return { ...whole, lots: partOf(scene, order) }
}

/**
 * A part in multiples of the lot step; sometimes all of it, all but the minimum, all but too little, or an invalid
 * size.
 */
function partOf(scene: Scene, order: ReferenceOrder): Lots {
  const { random, model } = scene
  const { lotStep, lotMin, lotMax } = instrumentOf(model, order)
  const steps = Math.floor(order.lots / lotStep)
  if (random.chance(80)) return lots(Math.max(lotMin, random.int(1, Math.max(1, steps - 1)) * lotStep))
  const odd = [0, -lotMin, lotMin / 2, NaN, lotMax + lotStep, order.lots + lotStep, lotMin + lotStep / 4]
  return lots(random.pick([order.lots, lotMin, order.lots - lotMin, order.lots - lotMin + lotStep, ...odd]))
}

export const closeAll = (scene: Scene, anyAccount: number): CloseAll => ({
  type: 'closeAll',
  at: scene.at,
  accountId: scene.random.chance(10) ? anyAccount : chooseAccount(scene, anyAccount, 'holding'),
})

export function reversePosition(scene: Scene, anyAccount: number): ReversePosition {
  const { accountId, orderId } = choosePosition(scene, anyAccount)
  return { type: 'reversePosition', at: scene.at, accountId, orderId }
}

export function cancelOrder(scene: Scene, anyAccount: number): CancelOrder {
  const accountId = chooseAccount(scene, anyAccount, 'pending')
  return { type: 'cancelOrder', at: scene.at, accountId, orderId: chooseOrder(scene, accountId, 'pending') }
}

export function setStops(scene: Scene, anyAccount: number): SetStops {
  const { model, random, at } = scene
  const status = random.pick(['holding', 'holding', 'pending'] as const)
  const accountId = chooseAccount(scene, anyAccount, status)
  const orderId = chooseOrder(scene, accountId, status)
  const command = { type: 'setStops', at, accountId, orderId } as const
  const order = activeOrder(scene, orderId)
  if (!order || random.chance(10)) return { ...command, takeProfit: null, stopLoss: null }
  const instrument = instrumentOf(model, order)
  const quote = model.quotes.get(instrument.id)
  const closing = quote ? closingAt(order.side, quote) : order.acceptedPrice
  const reference = order.status === 'pending' ? (order.targetPrice ?? closing) : closing
  const stops = stopsAround(scene, instrument, order.side, reference)
  const odd = random.pick([0, -3, 0.25, -2_000_000_000_000])
  // Often only one of the two changes; the other is sent as it is.
  const unchanged = (stop: number | null) => (stop === null ? null : price(stop))
  if (random.chance(20)) return { ...command, ...stops, stopLoss: unchanged(order.stopLoss) }
  if (random.chance(10)) return { ...command, ...stops, takeProfit: unchanged(order.takeProfit) }
  if (random.chance(10)) return { ...command, stopLoss: stops.stopLoss }
  if (random.chance(10)) return { ...command, takeProfit: stops.takeProfit }
  return { ...command, ...stops, ...(random.chance(3) ? { takeProfit: price(odd) } : {}) }
}

/** Mostly near enough to follow the price and be hit; sometimes too near, too far, not a number, or off. */
export function setTrailing(scene: Scene, anyAccount: number): SetTrailing {
  const { model, random, at } = scene
  const accountId = chooseAccount(scene, anyAccount, 'holding')
  const orderId = chooseOrder(scene, accountId, 'holding')
  const command = { type: 'setTrailing', at, accountId, orderId } as const
  const order = activeOrder(scene, orderId)
  if (!order || random.chance(8)) return { ...command, distance: null }
  const instrument = instrumentOf(model, order)
  const { step } = profileOf(scene, instrument)
  const least = instrument.minStopDistance
  const odd = [0, -5, least - 1, least, 0.5, NaN, 2_000_000_000_000, profileOf(scene, instrument).reference]
  const distance = random.chance(10)
    ? random.pick(odd)
    : least + random.int(0, step * random.pick([2, 8, 40]))
  return { ...command, distance: price(distance) }
}
