/** Overnight financing: one booking per position and night, at 17:00 New York (trading-rules §3). */
import { conversionOf } from './account.ts'
import type { SwapBooked } from './event.ts'
import { swapOf } from './formula.ts'
import type { Instrument, TripleSwapDay } from './instrument.ts'
import { availableOf, houseOf, transferBetween } from './ledger.ts'
import { canBook, withhold } from './money-range.ts'
import { isHolding, type Order } from './order.ts'
import type { Quote } from './quote.ts'
import { financeReceipt } from './receipt.ts'
import type { Account, State } from './state.ts'
import type { Steps } from './steps.ts'
import { createTradingDays, tradingDay } from './trading-day.ts'

const DAY_MS = 86_400_000
/** How long a night that lacks a price is left alone before it is tried again. */
const PAUSE_MS = 60_000
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

// Asked with every command, and a pure function: remembering the day changes no answer.
const tradingDays = createTradingDays()

/** The first 17:00 New York that is over at `at` and not yet financed for all; null when there is none. Epoch ms. */
export function dueRollover(state: State, at: number): number | null {
  // Before the first account there is nothing to finance.
  if (state.lastRollover === 0 || tradingDays('newYorkClose', at).start <= state.lastRollover) return null
  return tradingDay('newYorkClose', state.lastRollover).end
}

/**
 * Every 17:00 New York that is over at `at` and not yet financed for all, the oldest first (epoch ms). These are the nights that
 * may be booked at `at`, to positions that were open then and have had none as late (`financedAt`).
 */
export function dueRollovers(state: State, at: number): number[] {
  const rollovers: number[] = []
  const last = tradingDays('newYorkClose', at).start
  let next = dueRollover(state, at) ?? Infinity
  for (; next <= last; next = tradingDay('newYorkClose', next).end) rollovers.push(next)
  return rollovers
}

/** True when a night has to be financed before anything else happens. */
export const isRolloverDue = (state: State, at: number): boolean =>
  at >= state.rolloverPausedUntil && dueRollover(state, at) !== null

/** The first price of an instrument may be the one that a night waits for, and it is looked at with that price. */
export function noteFirstPrice(state: State, quote: Quote): void {
  if (state.rolloverPausedUntil === 0 || state.quotes.has(quote.instrumentId)) return
  state.quotes.set(quote.instrumentId, quote)
  state.rolloverPausedUntil = 0
}

/**
 * Finances every position that was open at a due 17:00 New York: by account, night and order id. One that has no price yet
 * holds nobody else back: its nights wait, and only those before them are over.
 */
export function* rollOver(state: State, at: number): Steps {
  const rollovers = dueRollovers(state, at)
  let firstWaiting = Infinity
  for (let id = 1; id <= state.lastAccountId; id += 1) {
    const account = state.accounts.get(id)
    const nights = account ? nightsOf(account, rollovers) : []
    for (const [order, rollover] of nights) {
      const booked = account && decideSwap(state, account, order, { rollover, at })
      if (booked === 'waiting') firstWaiting = Math.min(firstWaiting, rollover)
      else if (booked) yield booked
    }
    yield null
  }
  for (const rollover of rollovers) if (rollover < firstWaiting) yield { type: 'rolledOver', rollover }
  // Not beyond the next 17:00, whose night is to come before anything else.
  const pausedUntil = Math.min(at + PAUSE_MS, tradingDays('newYorkClose', at).end)
  state.rolloverPausedUntil = firstWaiting === Infinity ? 0 : pausedUntil
}

/** Who is due for which night. Positions that have had the last one cost no look at each, however many wait for others. */
function* nightsOf(account: Account, rollovers: readonly number[]): Generator<[Order, number]> {
  if (account.exposures.size === 0) return
  const last = rollovers.at(-1) ?? 0
  const orders = [...account.orders.values()].filter((order) => isHolding(order) && isDue(order, last))
  orders.sort((a, b) => a.id - b.id)
  for (const rollover of rollovers)
    for (const order of orders) if (isDue(order, rollover)) yield [order, rollover]
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

/** The financing of one position; null when it is not due or comes to nothing. Without a price, or too large to book, it waits. */
function decideSwap(
  state: State,
  account: Account,
  order: Order,
  moment: { rollover: number; at: number },
): SwapBooked | 'waiting' | null {
  const { rollover, at } = moment
  const instrument = state.instruments.get(order.instrumentId)
  if (!instrument || !isDue(order, rollover)) return null
  const nights = nightsAt(rollover, instrument.tripleSwapDay)
  if (rateOf(instrument, order) === 0 || nights === 0) return null
  const quote = state.quotes.get(order.instrumentId)
  const conversion = conversionOf(state, instrument)
  if (!quote || !conversion) return 'waiting'
  const amount = swapOf(instrument, { ...order, nights, rate: conversion.rate }, quote)
  if (amount === 0n) return null
  const booked: SwapBooked = {
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
  if (canBook(state, [booked])) return booked
  withhold(state, order.id)
  return 'waiting'
}

const rateOf = (instrument: Instrument, order: Order): number => instrument.swapRate[order.side]
