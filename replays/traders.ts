/** Random orders and changes of a thousand accounts. */
import {
  conversionOf,
  figuresOf,
  LOTS_SCALE,
  lots,
  marginOf,
  openingPrice,
  price,
  type Instrument,
  type Lots,
  type Price,
  type Side,
  type State,
} from '@fairlot/core'
import type { EngineCommand } from '../apps/server/src/engine/engine.ts'
import type { Random } from '../testing/random.ts'

type Place = Extract<EngineCommand, { type: 'placeOrder' }>
const SIDES = ['buy', 'sell'] as const
/** Fractions of the free margin that one order uses, in percent. */
const PARTS = [5, 20, 50, 90] as const

/** A random order: two of three at the highest leverage, one of five pending, some with stops. */
export function randomOrder(
  state: State,
  random: Random,
  accountId: number,
  instrument: Instrument,
): Place | null {
  const account = state.accounts.get(accountId)
  const quote = state.quotes.get(instrument.id)
  const conversion = conversionOf(state, instrument)
  if (!account || !quote || !conversion) return null
  const side = random.pick(SIDES)
  const highest = instrument.leverages.at(-1) ?? 1
  const leverage = random.oneIn(3)
    ? (instrument.leverages[random.int(0, instrument.leverages.length - 1)] ?? highest)
    : highest
  const reference = openingPrice(side, quote)
  const one = { lots: lots(Number(LOTS_SCALE)), leverage, price: reference, rate: conversion.rate }
  const money = (figuresOf(state, account).free * BigInt(random.pick(PARTS))) / 100n
  const size = sizeWithin(instrument, Number((money * LOTS_SCALE) / marginOf(instrument, one)))
  if (size === null) return null
  const targetPrice = random.oneIn(5) ? moved(random, reference, 0.03) : null
  const from = targetPrice ?? reference
  return {
    type: 'placeOrder',
    accountId,
    instrumentId: instrument.id,
    side,
    lots: size,
    leverage,
    targetPrice,
    takeProfit: random.oneIn(4) ? beyond(side, from, 0.002 + random.next() * 0.04) : null,
    stopLoss: random.oneIn(3) ? beyond(side, from, -0.002 - random.next() * 0.04) : null,
    expiresAt: null,
  }
}

/** A random change of an existing order: closing, partial closing, reversing, trailing, or a reset. */
export function randomChange(state: State, random: Random, accountId: number): EngineCommand | null {
  const orders = [...(state.accounts.get(accountId)?.orders.values() ?? [])]
  const order = orders[random.int(0, orders.length - 1)]
  if (!order) return random.oneIn(10) ? { type: 'resetDemo', accountId } : null
  const requested = { accountId, orderId: order.id }
  if (order.status === 'pending') return { type: 'cancelOrder', ...requested }
  const half = lots(Math.floor(order.lots / 200) * 100)
  switch (random.int(1, 4)) {
    case 1:
      return { type: 'closePosition', ...requested }
    case 2:
      return { type: 'closePosition', ...requested, lots: half }
    case 3:
      return { type: 'reversePosition', ...requested }
    default:
      return { type: 'setTrailing', ...requested, distance: price(Math.ceil((order.openPrice ?? 0) * 0.01)) }
  }
}

function sizeWithin({ lotMin, lotMax, lotStep }: Instrument, wished: number): Lots | null {
  const size = Math.min(Math.floor(wished / lotStep) * lotStep, lotMax)
  return size < lotMin ? null : lots(size)
}

const moved = (random: Random, base: Price, reach: number): Price =>
  price(Math.round(base * (1 + (random.next() * 2 - 1) * reach)))

/** A price better (`part` above zero) or worse for this side by a fraction. */
const beyond = (side: Side, base: Price, part: number): Price =>
  price(Math.round(base * (1 + (side === 'buy' ? part : -part))))
