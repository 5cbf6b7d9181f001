/** Overnight financing: worked out from the prices and rates of the night that the journal has marked. */
import {
  bookNights,
  isHolding,
  nightsAt,
  swapOf,
  tradingDay,
  type Event,
  type Order,
  type State,
  type SwapBooked,
} from '@fairlot/core'
import { marketOf, NO_MARKET, unfilled, type Figure } from './figure.ts'

/** The figures of a booking, on the state just before it. `at` is epoch ms. */
export function nightFigures(state: State, event: SwapBooked, at: number): Figure[] {
  const order = state.orders.get(event.orderId)
  if (!order || !isHolding(order)) return [['status', order?.status, 'holding']]
  return event.receipt.ruleVersion === 1
    ? bookedWhenFound(state, event, { order, at })
    : bookedFromMark(state, event, order)
}

/** The account's next booking is the oldest night that is due, by order id, at the marked prices and rates. */
function bookedFromMark(state: State, event: SwapBooked, order: Order): Figure[] {
  const account = state.accounts.get(event.accountId)
  const instrument = state.instruments.get(order.instrumentId)
  const night = state.nights.get(event.rollover)
  const rate = night?.rates.get(order.instrumentId)
  const market = marketOf(state, order.instrumentId, event.receipt)
  if (!night) return [['rollover', event.rollover, 'a marked one']]
  if (!account || !instrument || !rate || !market) return NO_MARKET
  const next = [...bookNights(state, account)].find(({ type }) => type === 'swapBooked')
  return [
    ['rollover', event.rollover, next ? next.rollover : 'a due one'],
    ['order', event.orderId, next ? next.orderId : 'one that is due'],
    ['nights', event.nights, rate.nights],
    ['terms', event.receipt.terms, night.terms],
    ['delay', event.receipt.delayMs, Math.max(0, event.rollover - market.tick.receivedAt)],
    ['tick', event.receipt.tick, night.prices.get(order.instrumentId)],
    ...event.receipt.conversion.map((tick): Figure => [
      'conversion',
      tick,
      night.prices.get(tick.instrumentId),
    ]),
    [
      'swap',
      event.amount,
      swapOf(
        instrument,
        { ...order, nights: rate.nights, yearlyRate: rate[order.side], rate: market.conversion.rate },
        market.tick,
      ),
    ],
    ...unfilled(event.receipt, null),
  ]
}

/** By the first rules a night was worked out from the prices known when it was booked. */
function bookedWhenFound(
  state: State,
  event: SwapBooked,
  { order, at }: { order: Order; at: number },
): Figure[] {
  const market = marketOf(state, order.instrumentId, event.receipt)
  if (!market) return NO_MARKET
  const { instrument, conversion, tick } = market
  const nightsOf = (rollover: number) => nightsAt(rollover, instrument.tripleSwapDay)
  const swapAt = (rollover: number) =>
    swapOf(
      instrument,
      {
        ...order,
        nights: nightsOf(rollover),
        yearlyRate: instrument.swapRate[order.side],
        rate: conversion.rate,
      },
      tick,
    )
  const hasSwap = (rollover: number) => swapAt(rollover) !== 0n
  return [
    ['rollover', event.rollover, nightDue(state, order, { at, hasSwap }) ?? 'a due one'],
    ['nights', event.nights, nightsOf(event.rollover)],
    ['swap', event.amount, swapAt(event.rollover)],
    ...unfilled(event.receipt, null),
  ]
}

/** The first 17:00 New York not yet financed for a position that comes to something; null when none is over at `at`. */
function nightDue(
  { lastNight }: State,
  { openedAt, createdAt, financedAt }: Order,
  { at, hasSwap }: { at: number; hasSwap: (rollover: number) => boolean },
): number | null {
  const closeAfter = (moment: number) => tradingDay('newYorkClose', moment).end
  let rollover = closeAfter(Math.max(lastNight, openedAt ?? createdAt, financedAt))
  while (rollover <= at && !hasSwap(rollover)) rollover = closeAfter(rollover)
  return rollover <= at ? rollover : null
}

/** A night is over when nobody has anything of it left to be booked. */
export function overFigures(
  state: State,
  { rollover }: Extract<Event, { type: 'rolledOver' }>,
  isFirstVersion: boolean,
): Figure[] {
  if (isFirstVersion) return [['rollover', rollover, tradingDay('newYorkClose', state.lastNight).end]]
  if (!state.nights.has(rollover)) return [['rollover', rollover, 'a marked one']]
  for (const account of state.accounts.values()) {
    for (const booking of bookNights(state, account)) {
      if (booking.rollover === rollover) return [[`financing of account ${account.id}`, 'left out', 'booked']]
    }
  }
  return []
}
