/** Overnight financing: one booking per position and night, at 17:00 New York (trading-rules §3). */
import { conversionOf } from './account.ts'
import type { SwapBooked } from './event.ts'
import { swapOf } from './formula.ts'
import type { Instrument, TripleSwapDay } from './instrument.ts'
import { availableOf, houseOf, transferBetween } from './ledger.ts'
import { isHolding, type Order } from './order.ts'
import { financeReceipt } from './receipt.ts'
import type { Account, State } from './state.ts'
import { tradingDay } from './trading-day.ts'

const DAY_MS = 86_400_000
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

/** The next 17:00 New York that is complete at `at` and not yet booked; null when there is none. Epoch ms. */
export function dueRollover(state: State, at: number): number | null {
  const latest = tradingDay('newYorkClose', at).start
  if (latest <= state.lastRollover) return null
  // Before the first account there is nothing to finance.
  return state.lastRollover === 0 ? null : tradingDay('newYorkClose', state.lastRollover).end
}

/** Nights that a rollover counts for: none at weekends, three on the triple day. 17:00 New York is the same day in UTC. */
export function nightsAt(rollover: number, tripleSwapDay: TripleSwapDay): number {
  const weekday = WEEKDAYS[(Math.floor(rollover / DAY_MS) + 4) % 7]
  if (tripleSwapDay === 'daily') return 1
  if (weekday === 'sat' || weekday === 'sun') return 0
  return weekday === tripleSwapDay ? 3 : 1
}

/** True for a position that was open at the rollover and has not had it booked. */
const isDue = (order: Order, rollover: number): boolean =>
  order.openedAt !== null && order.openedAt < rollover && order.financedAt < rollover

/** The financing of one position; null when it is not due or comes to nothing. */
export function decideSwap(
  state: State,
  account: Account,
  order: Order,
  moment: { rollover: number; at: number },
): SwapBooked | null {
  const { rollover, at } = moment
  const instrument = state.instruments.get(order.instrumentId)
  const quote = state.quotes.get(order.instrumentId)
  if (!instrument || !quote || !isHolding(order) || !isDue(order, rollover)) return null
  const nights = nightsAt(rollover, instrument.tripleSwapDay)
  const conversion = rateOf(instrument, order) === 0 || nights === 0 ? null : conversionOf(state, instrument)
  if (!conversion) return null
  const amount = swapOf(instrument, { ...order, nights, rate: conversion.rate }, quote)
  if (amount === 0n) return null
  return {
    type: 'swapBooked',
    orderId: order.id,
    accountId: account.id,
    rollover,
    nights,
    amount,
    receipt: financeReceipt(quote, conversion, at),
    transfers: transferBetween(availableOf(account.id), houseOf(account.ledger, 'swap'), amount, {
      kind: 'swap',
      orderId: order.id,
    }),
  }
}

const rateOf = (instrument: Instrument, order: Order): number => instrument.swapRate[order.side]
