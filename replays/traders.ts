/** A thousand accounts that went into the night with whatever they had been led to by chance. */
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
/** Parts of the free money that one order takes, in percent. */
const PARTS = [5, 20, 50, 90] as const

/** An order at random: two of three at the most leverage there is, one of five waits for its price, some with stops. */
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
    ...{
      type: 'placeOrder',
      accountId,
      instrumentId: instrument.id,
      side,
      lots: size,
      leverage,
      targetPrice,
    },
    takeProfit: random.oneIn(4) ? beyond(side, from, 0.002 + random.next() * 0.04) : null,
    stopLoss: random.oneIn(3) ? beyond(side, from, -0.002 - random.next() * 0.04) : null,
    expiresAt: null,
  }
}

/** What somebody does at random with what is left: closes it, halves it, lets its stop follow, begins anew. */
export function randomChange(state: State, random: Random, accountId: number): EngineCommand | null {
  const orders = [...(state.accounts.get(accountId)?.orders.values() ?? [])]
  const order = orders[random.int(0, orders.length - 1)]
  if (!order) return random.oneIn(10) ? { type: 'resetDemo', accountId } : null
  const asked = { accountId, orderId: order.id }
  if (order.status === 'pending') return { type: 'cancelOrder', ...asked }
  const half = lots(Math.floor(order.lots / 200) * 100)
  switch (random.int(1, 4)) {
    case 1:
      return { type: 'closePosition', ...asked }
    case 2:
      return { type: 'closePosition', ...asked, lots: half }
    case 3:
      return { type: 'reversePosition', ...asked }
    default:
      return { type: 'setTrailing', ...asked, distance: price(Math.ceil((order.openPrice ?? 0) * 0.01)) }
  }
}

function sizeWithin({ lotMin, lotMax, lotStep }: Instrument, wished: number): Lots | null {
  const size = Math.min(Math.floor(wished / lotStep) * lotStep, lotMax)
  return size < lotMin ? null : lots(size)
}

const moved = (random: Random, base: Price, reach: number): Price =>
  price(Math.round(base * (1 + (random.next() * 2 - 1) * reach)))

/** So much of the price better (above zero) or worse for this side. */
const beyond = (side: Side, base: Price, part: number): Price =>
  price(Math.round(base * (1 + (side === 'buy' ? part : -part))))
