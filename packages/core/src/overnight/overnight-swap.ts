/** Overnight financing: one booking per position and night, at 17:00 New York (trading-rules §3). */
import type { NightRate, PricesMarked, SwapBooked } from '../event.ts'
import { convert } from '../money/currency-conversion.ts'
import { swapOf } from '../money/margin-fee-profit.ts'
import type { Instrument, TripleSwapDay } from '../terms/instrument.ts'
import { houseOf, transferBetween } from '../money/ledger.ts'
import { canBook } from '../money/booking-range.ts'
import { isHolding, type Order } from '../orders/order.ts'
import type { Quote } from '../market/quote.ts'
import { financeReceipt, receiptTick } from '../receipt.ts'
import type { Account, Night, State } from '../state.ts'
import { createTradingDays, tradingDay } from '../trading-hours/trading-day.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

// Asked with every command, and a pure function: remembering the day changes no answer.
const tradingDays = createTradingDays()

/** The full hour that `at` lies in, epoch ms. */
export const hourOf = (at: number): number => Math.floor(at / HOUR_MS) * HOUR_MS

/** The 17:00 New York at or before `at`, epoch ms. */
export const nightBefore = (at: number): number => tradingDays('newYorkClose', at).start

/** True when an hour has passed whose prices are not marked yet. Before the first account there is nothing to mark. */
export const isMarkDue = ({ lastMark }: Pick<State, 'lastMark'>, at: number): boolean =>
  lastMark > 0 && at >= lastMark + HOUR_MS

/**
 * The moments whose prices are to be marked at `at` (epoch ms), oldest first: every 17:00 New York since the last, and the last
 * full hour. Hours during which no engine ran are left out.
 */
export function dueMarks(state: Pick<State, 'lastMark' | 'lastNight'>, at: number): number[] {
  if (!isMarkDue(state, at)) return []
  const moments: number[] = []
  const last = nightBefore(at)
  for (let next = state.lastNight; next < last;) {
    next = tradingDay('newYorkClose', next).end
    moments.push(next)
  }
  const hour = hourOf(at)
  return moments.at(-1) === hour ? moments : [...moments, hour]
}

/** The prices known now, as those of a moment; at 17:00 New York with what the terms of now ask for the night. */
export function markPrices(
  { quotes, instruments }: Pick<State, 'quotes' | 'instruments'>,
  moment: number,
): PricesMarked {
  const isNight = nightBefore(moment) === moment
  return {
    type: 'pricesMarked',
    moment,
    prices: [...quotes.values()]
      .toSorted((a, b) => a.instrumentId - b.instrumentId)
      .map((quote) => receiptTick(quote)),
    night: isNight ? nightRates(instruments.values(), moment) : null,
  }
}

/** What the terms of now ask for the night that begins at a 17:00 New York (epoch ms); nothing where no rate is set. */
function nightRates(instruments: Iterable<Instrument>, rollover: number): NightRate[] {
  const rates: NightRate[] = []
  for (const { id, swapRate, tripleSwapDay } of instruments) {
    const nights = nightsAt(rollover, tripleSwapDay)
    if (nights === 0 || (swapRate.buy === 0 && swapRate.sell === 0)) continue
    rates.push({ instrumentId: id, buy: swapRate.buy, sell: swapRate.sell, nights })
  }
  return rates
}

/** Nights that a rollover counts for: none at weekends, three on the triple day. 17:00 New York is the same day in UTC. */
export function nightsAt(rollover: number, tripleSwapDay: TripleSwapDay): number {
  const weekday = WEEKDAYS[(Math.floor(rollover / DAY_MS) + 4) % 7]
  if (tripleSwapDay === 'daily') return 1
  if (weekday === 'sat' || weekday === 'sun') return 0
  return weekday === tripleSwapDay ? 3 : 1
}

/**
 * True while a night lacks the price of an instrument. Whether a quote is known tells nothing: quotes outlive a commit that came to
 * nothing, and the tick that brought the first one is then decided again.
 */
export function isPriceMissing({ nights }: Pick<State, 'nights'>, instrumentId: number): boolean {
  for (const { prices } of nights.values()) if (!prices.has(instrumentId)) return true
  return false
}

/** A price for the nights that have waited for it; none when none has. */
export function missingPrice({ nights }: Pick<State, 'nights'>, quote: Quote): PricesMarked[] {
  return [...nights.values()]
    .filter(({ prices }) => !prices.has(quote.instrumentId))
    .map(({ rollover }) => ({
      type: 'pricesMarked',
      moment: rollover,
      prices: [receiptTick(quote)],
      night: null,
    }))
}

/** The financing of one position for one night (17:00 New York, epoch ms) that cannot be booked yet. */
export type WaitingBooking = {
  readonly type: 'waiting'
  readonly orderId: number
  readonly rollover: number
  /** It is larger than can be booked; otherwise it lacks a price. */
  readonly isTooLarge: boolean
}

/** What is booked to an account for its nights. */
export type NightBooking = SwapBooked | WaitingBooking

type NightTerms = Pick<State, 'nights' | 'instruments' | 'conversionPaths' | 'ledger'>

/**
 * The financing of an account's positions for every night under way, by night and order id. One that lacks a price, or is too large to book, is named
 * with its night; it holds nobody else back.
 */
export function* bookNights(state: NightTerms, account: Account): Generator<NightBooking, void> {
  if (account.exposures.size === 0) return
  for (const night of state.nights.values()) {
    if (night.rates.size === 0) continue
    const due = [...account.orders.values()].filter((order) => isFinancingDue(order, night.rollover))
    for (const order of due.toSorted((a, b) => a.id - b.id)) {
      const booking = bookNight(state, account, order, night)
      if (booking) yield booking
    }
  }
}

/** True for a position that was open at the rollover and has not had it booked. */
export const isFinancingDue = (order: Order, rollover: number): boolean =>
  isHolding(order) && order.openedAt !== null && order.openedAt < rollover && order.financedAt < rollover

/** The financing of one position for one night; null when it comes to nothing. */
function bookNight(state: NightTerms, account: Account, order: Order, night: Night): NightBooking | null {
  const instrument = state.instruments.get(order.instrumentId)
  const rate = night.rates.get(order.instrumentId)
  if (!instrument || !rate || rate[order.side] === 0) return null
  const { rollover } = night
  const tick = night.prices.get(order.instrumentId)
  const path = state.conversionPaths.get(instrument.id)
  const conversion = path ? convert(path, (id) => night.prices.get(id)) : null
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
    receipt: financeReceipt(tick, conversion, { rollover, terms: night.terms }),
    transfers: transferBetween(account.available.id, houseOf(account.ledger, 'swap'), amount, {
      kind: 'swap',
      orderId: order.id,
    }),
  }
  return canBook(state, [booked]) ? booked : { ...waiting, isTooLarge: true }
}
