/** Overnight swap: one booking per position and rollover, at 17:00 New York (trading-rules §3). */
import { createTradingDays } from '../calendar/trading-day.ts'
import { convert } from '../model/currency-conversion.ts'
import type { SwapBooked, SwapRate } from '../model/event.ts'
import type { Instrument, TripleSwapDay } from '../model/instrument.ts'
import { brokerAccountOf, transferBetween } from '../model/ledger.ts'
import {
  absolute,
  money,
  RATIO_SCALE,
  type Fraction,
  type Lots,
  type Money,
  type Price,
} from '../model/number.ts'
import { divideRounded } from '../model/rounding.ts'
import { isPosition, type Order } from '../model/order.ts'
import { swapReceipt } from '../model/receipt.ts'
import type { Account, OpenRollover, State } from '../state/state.ts'
import { canBook } from './booking-range.ts'
import { exactNotional } from './margin-fee-profit.ts'

const DAY_MS = 86_400_000
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

// Called with every command; a pure function, so caching the day is safe.
const tradingDays = createTradingDays()

/** The 17:00 New York at or before `at`, epoch ms. */
export const rolloverBefore = (at: number): number => tradingDays('newYorkClose', at).start

/** The current swap rates for the rollover at a 17:00 New York (epoch ms); none where no rate is set. */
export function swapRatesAt(instruments: Iterable<Instrument>, rollover: number): SwapRate[] {
  const rates: SwapRate[] = []
  for (const { id, swapRate, tripleSwapDay } of instruments) {
    const nights = swapDaysAt(rollover, tripleSwapDay)
    if (nights === 0 || (swapRate.buy === 0 && swapRate.sell === 0)) continue
    rates.push({ instrumentId: id, buy: swapRate.buy, sell: swapRate.sell, nights })
  }
  return rates
}

/**
 * Days of swap charged at a rollover: none at weekends, three on the triple day. 17:00 New York is the same day in
 * UTC.
 */
export function swapDaysAt(rollover: number, tripleSwapDay: TripleSwapDay): number {
  const weekday = WEEKDAYS[(Math.floor(rollover / DAY_MS) + 4) % 7]
  if (tripleSwapDay === 'daily') return 1
  if (weekday === 'sat' || weekday === 'sun') return 0
  return weekday === tripleSwapDay ? 3 : 1
}

/** A swap of a position for a rollover (17:00 New York, epoch ms) that cannot be booked yet. */
export type WaitingBooking = {
  readonly type: 'waiting'
  readonly orderId: number
  readonly rollover: number
  /** It is out of the booking range; otherwise a price is missing. */
  readonly isTooLarge: boolean
}

/** Swaps of an account, booked or waiting. */
export type SwapBooking = SwapBooked | WaitingBooking

type SwapTerms = Pick<State, 'rollovers' | 'instruments' | 'conversionPaths' | 'ledger' | 'rulesVersion'>

/**
 * The swaps of an account's positions for every rollover in progress, by rollover and order id. One without a price,
 * or out of the booking range, is reported with its rollover; it does not delay others.
 */
export function* bookSwaps(state: SwapTerms, account: Account): Generator<SwapBooking, void> {
  if (account.exposures.size === 0) return
  for (const openRollover of state.rollovers.values()) {
    if (openRollover.rates.size === 0) continue
    const due = [...account.orders.values()].filter((order) => isSwapDue(order, openRollover.rollover))
    for (const order of due.toSorted((a, b) => a.id - b.id)) {
      const booking = bookSwap(state, account, order, openRollover)
      if (booking) yield booking
    }
  }
}

/** True for a position open at the rollover whose swap is not booked yet. */
export const isSwapDue = (order: Order, rollover: number): boolean =>
  isPosition(order) && order.openedAt !== null && order.openedAt < rollover && order.financedAt < rollover

/** The swap of one position for one rollover; null when it is zero. */
function bookSwap(
  state: SwapTerms,
  account: Account,
  order: Order,
  openRollover: OpenRollover,
): SwapBooking | null {
  const instrument = state.instruments.get(order.instrumentId)
  const rate = openRollover.rates.get(order.instrumentId)
  if (!instrument || !rate || rate[order.side] === 0) return null
  const { rollover } = openRollover
  const tick = openRollover.prices.get(order.instrumentId)
  const path = state.conversionPaths.get(instrument.id)
  const conversion = path ? convert(path, (id) => openRollover.prices.get(id)) : null
  const waiting = { type: 'waiting', orderId: order.id, rollover } as const
  if (!tick || !conversion) return { ...waiting, isTooLarge: false }
  const amount = swapOf(
    instrument,
    { ...order, nights: rate.nights, yearlyRate: rate[order.side], rate: conversion.rate },
    tick,
  )
  if (amount === 0n) return null
  const booked: SwapBooked = {
    type: 'swapBooked',
    orderId: order.id,
    accountId: account.id,
    rollover,
    nights: rate.nights,
    amount,
    receipt: swapReceipt(tick, conversion, {
      rollover,
      terms: openRollover.terms,
      rules: state.rulesVersion,
    }),
    transfers: transferBetween(account.available.id, brokerAccountOf(account.ledger, 'swap'), amount, {
      kind: 'swap',
      orderId: order.id,
    }),
  }
  return canBook(state, [booked]) ? booked : { ...waiting, isTooLarge: true }
}

const PERCENT = 100n
const DAYS_A_YEAR = 360n

/**
 * Overnight swap: lots x contract size x |mid| x conversion rate x yearly rate / 100 / 360 x rollovers; in fixed
 * margin mode margin x leverage replaces the notional. Positive is paid to the user. `yearlyRate` is in 1e-6 percent.
 */
export function swapOf(
  instrument: Instrument,
  position: {
    lots: Lots
    leverage: number
    margin: Money
    nights: number
    yearlyRate: number
    rate: Fraction
  },
  quote: { bid: Price; ask: Price },
): Money {
  const yearly = BigInt(position.yearlyRate) * BigInt(position.nights)
  const days = RATIO_SCALE * PERCENT * DAYS_A_YEAR
  if (instrument.marginMode === 'fixed') {
    return money(divideRounded(position.margin * BigInt(position.leverage) * yearly, days))
  }
  const twiceMid = absolute(BigInt(quote.bid) + BigInt(quote.ask))
  const twiceNotional = exactNotional(instrument, BigInt(position.lots) * twiceMid, position.rate)
  return money(divideRounded(twiceNotional.numerator * yearly, 2n * twiceNotional.denominator * days))
}
