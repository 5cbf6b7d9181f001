import {
  bookSwaps,
  dueMoments,
  hasEquityRanges,
  isPosition,
  isPriced,
  larger,
  money,
  openProfit,
  smaller,
  swapDaysAt,
  swapOf,
  tradingDay,
  type Account,
  type Entry,
  type EquityRangeNoted,
  type Event,
  type Money,
  type Order,
  type PricesMarked,
  type State,
  type SwapBooked,
} from '@fairlot/core'
import { marketOf, NO_MARKET, unfilled, type Figure } from './figure.ts'
import { tickValidity } from './price-figures.ts'

const HOUR_MS = 3_600_000

type MomentEvent = Extract<
  Event,
  {
    type:
      | 'equityRangeNoted'
      | 'pricesMarked'
      | 'termsTookEffect'
      | 'termsWithdrawn'
      | 'accountStatusSet'
      | 'instrumentHalted'
      | 'tradingModeSet'
  }
>

/** Events that operators cause too. */
const ALSO_BY_OPERATORS: ReadonlySet<Event['type']> = new Set([
  'termsWithdrawn',
  'accountStatusSet',
  'instrumentHalted',
  'tradingModeSet',
])

/** True for events that the clock causes at a due time: price snapshots and what goes with them, announced terms and limits. */
export const isMoment = (event: Event, { author }: Pick<Entry, 'author'>): event is MomentEvent =>
  event.type === 'pricesMarked' ||
  event.type === 'equityRangeNoted' ||
  event.type === 'termsTookEffect' ||
  (ALSO_BY_OPERATORS.has(event.type) && author.type === 'clock')

/** Due events are journaled in order, with the terms and rates in effect; a late price of a rollover is not due work. */
export function momentFigures(state: State, event: MomentEvent, { at, events }: Entry): Figure[] {
  const [next] = dueMoments(state, at)
  switch (event.type) {
    case 'termsTookEffect':
    case 'termsWithdrawn':
      return isDue(state, event.changeId, at)
        ? [['', event, next]]
        : [['moment of the terms', 'yet to come', 'passed']]
    case 'accountStatusSet':
    case 'instrumentHalted':
    case 'tradingModeSet':
      return [['', event, next ?? null]]
    case 'equityRangeNoted':
      return rangeFigures(state, event, events, next ?? null)
    case 'pricesMarked':
      return [
        ...event.prices.map((tick) => tickValidity(state, tick)),
        ...(state.rollovers.has(event.moment)
          ? latePriceFigures(state, event)
          : snapshotFigures(event, next ?? null)),
      ]
  }
}

/**
 * The range of a provider comes before the prices of the hour, one for each account by id. The journal does not name
 * the prices in between, but the equity at those of the hour lies within the range.
 */
function rangeFigures(
  state: State,
  event: EquityRangeNoted,
  events: readonly Event[],
  next: Event | null,
): Figure[] {
  const { accountId, moment, lowest, highest, equity } = event
  const account = state.accounts.get(accountId)
  const [follower, ...rest] = events.slice(events.indexOf(event) + 1)
  const marked = [follower, ...rest].find((one) => one?.type === 'pricesMarked')
  const isInOrder =
    follower?.type === 'pricesMarked' ||
    (follower?.type === 'equityRangeNoted' && follower.accountId > accountId)
  if (next?.type !== 'pricesMarked') return [['moment', moment, next ? next.type : 'a due one']]
  return [
    ['rules', hasEquityRanges(state) ? 'with ranges' : state.rulesVersion, 'with ranges'],
    ['hour before the announced start', moment - HOUR_MS < state.equityRangesFrom, false],
    ['moment', moment, next.moment],
    ['what follows', isInOrder ? 'in order' : (follower?.type ?? 'nothing'), 'in order'],
    ['strategy', account?.strategy ? 'running' : 'none', 'running'],
    ['lowest', lowest, smaller(lowest, equity)],
    ['highest', highest, larger(highest, equity)],
    ['lowest and highest', lowest < highest ? 'apart' : 'one', 'apart'],
    ...(account && marked ? equityFigures(state, account, equity, marked) : []),
  ]
}

/** After a flow that left nothing the equity before it stands in its place. */
function equityFigures(state: State, account: Account, equity: Money, { prices }: PricesMarked): Figure[] {
  const pricing = { ...state, quotes: new Map(prices.map((tick) => [tick.instrumentId, tick])) }
  const known = isPriced(pricing, account)
  const now = money(account.available.balance + openProfit(pricing, account))
  return [
    ['prices behind the equity', known ? 'known' : 'missing', 'known'],
    now > 0n ? ['equity', equity, now] : ['equity', equity > 0n ? 'above zero' : equity, 'above zero'],
  ]
}

const isDue = ({ announced }: State, changeId: number, at: number): boolean =>
  (announced.get(changeId)?.effectiveAt ?? Infinity) <= at

/** Only prices that were missing from the rollover. */
function latePriceFigures({ rollovers }: State, { moment, prices, night }: PricesMarked): Figure[] {
  const missing = prices.filter(({ instrumentId }) => !rollovers.get(moment)?.prices.has(instrumentId))
  return [
    ['night', night, null],
    ['prices that were missing', prices.length, missing.length],
  ]
}

/** The journal does not record which prices were known; the swap rates follow from the terms in effect. */
function snapshotFigures({ moment, night }: PricesMarked, next: Event | null): Figure[] {
  if (next?.type !== 'pricesMarked') return [['moment', moment, next ? next.type : 'a due one']]
  return [
    ['moment', moment, next.moment],
    ['night', night, next.night],
  ]
}

/** The figures of a swap, on the state just before it. `at` is epoch ms. */
export function swapFigures(state: State, event: SwapBooked, at: number): Figure[] {
  const order = state.orders.get(event.orderId)
  if (!order || !isPosition(order)) return [['status', order?.status, 'holding']]
  return event.receipt.ruleVersion === 1
    ? swapAtBooking(state, event, { order, at })
    : swapFromSnapshot(state, event, order)
}

/** An account's next swap is for its oldest due rollover, by order id, at the prices and rates of the snapshot. */
function swapFromSnapshot(state: State, event: SwapBooked, order: Order): Figure[] {
  const account = state.accounts.get(event.accountId)
  const instrument = state.instruments.get(order.instrumentId)
  const rollover = state.rollovers.get(event.rollover)
  const rate = rollover?.rates.get(order.instrumentId)
  const market = marketOf(state, order.instrumentId, event.receipt)
  if (!rollover) return [['rollover', event.rollover, 'a journaled one']]
  if (!account || !instrument || !rate || !market) return NO_MARKET
  const next = [...bookSwaps(state, account)].find(({ type }) => type === 'swapBooked')
  return [
    ['rollover', event.rollover, next ? next.rollover : 'a due one'],
    ['order', event.orderId, next ? next.orderId : 'one that is due'],
    ['nights', event.nights, rate.nights],
    ['terms', event.receipt.terms, rollover.terms],
    ['delay', event.receipt.delayMs, Math.max(0, event.rollover - market.tick.receivedAt)],
    ['tick', event.receipt.tick, rollover.prices.get(order.instrumentId)],
    ...event.receipt.conversion.map((tick): Figure => [
      'conversion',
      tick,
      rollover.prices.get(tick.instrumentId),
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

/** Under rules 1 a swap used the prices known when it was booked. */
function swapAtBooking(
  state: State,
  event: SwapBooked,
  { order, at }: { order: Order; at: number },
): Figure[] {
  const market = marketOf(state, order.instrumentId, event.receipt)
  if (!market) return NO_MARKET
  const { instrument, conversion, tick } = market
  const swapDaysOf = (rollover: number) => swapDaysAt(rollover, instrument.tripleSwapDay)
  const swapAt = (rollover: number) =>
    swapOf(
      instrument,
      {
        ...order,
        nights: swapDaysOf(rollover),
        yearlyRate: instrument.swapRate[order.side],
        rate: conversion.rate,
      },
      tick,
    )
  const hasSwap = (rollover: number) => swapAt(rollover) !== 0n
  return [
    ['rollover', event.rollover, dueRollover(state, order, { at, hasSwap }) ?? 'a due one'],
    ['nights', event.nights, swapDaysOf(event.rollover)],
    ['swap', event.amount, swapAt(event.rollover)],
    ...unfilled(event.receipt, null),
  ]
}

/** The first 17:00 New York whose swap is neither booked nor zero; null if that is after `at`, epoch ms. */
function dueRollover(
  { lastRollover }: State,
  { openedAt, createdAt, financedAt }: Order,
  { at, hasSwap }: { at: number; hasSwap: (rollover: number) => boolean },
): number | null {
  const closeAfter = (moment: number) => tradingDay('newYorkClose', moment).end
  let rollover = closeAfter(Math.max(lastRollover, openedAt ?? createdAt, financedAt))
  while (rollover <= at && !hasSwap(rollover)) rollover = closeAfter(rollover)
  return rollover <= at ? rollover : null
}

/** A rollover ends when all its swaps have been booked. */
export function rolledOverFigures(
  state: State,
  { rollover }: Extract<Event, { type: 'rolledOver' }>,
  isFirstVersion: boolean,
): Figure[] {
  if (isFirstVersion) return [['rollover', rollover, tradingDay('newYorkClose', state.lastRollover).end]]
  if (!state.rollovers.has(rollover)) return [['rollover', rollover, 'a journaled one']]
  for (const account of state.accounts.values()) {
    for (const booking of bookSwaps(state, account)) {
      if (booking.rollover === rollover) return [[`swap of account ${account.id}`, 'left out', 'booked']]
    }
  }
  return []
}
