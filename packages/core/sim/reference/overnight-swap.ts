/** Overnight swap in the reference model (trading-rules §3): from the prices and rates of 17:00:00 New York alone. */
import type { PlainEvent, PlainInstrument, PlainSwapRate, PlainQuote } from '../plain-types.ts'
import { bookTransfer } from './deals.ts'
import type { NewYorkClose } from './trading-hours.ts'
import { rateNow } from './market.ts'
import { referenceSwap } from './money.ts'
import { asTick, noteReceipt } from './receipt.ts'
import {
  byId,
  instrumentOf,
  isHeld,
  positionsOf,
  type Moment,
  type ReferenceModel,
  type ReferenceRollover,
  type ReferencePosition,
} from './state.ts'

/** Records the prices of a moment, and at 17:00 New York the rates of the rollover. */
export function snapshotPrices(
  model: ReferenceModel,
  moment: number,
  close: NewYorkClose | null,
  events: PlainEvent[],
): void {
  const prices = [...model.quotes.values()].map(asTick).toSorted((a, b) => a.instrumentId - b.instrumentId)
  const rates = close && ratesOf(model, close)
  events.push({ type: 'pricesMarked', moment, prices, night: rates })
  model.recordedPrices.push({ moment, prices })
  model.lastPriceSnapshot = Math.max(model.lastPriceSnapshot, moment)
  if (rates === null) return
  model.lastRollover = moment
  if (rates.length === 0) return
  const known = new Map(prices.map((tick) => [tick.instrumentId, tick]))
  const snapshot = { at: moment, rates, prices: known, terms: model.termsVersion }
  const hasWaited = isWaiting(model, { ...snapshot, hasWaited: false })
  if (hasWaited) model.notes.push('rollover waits for a price')
  model.rollovers.push({ ...snapshot, hasWaited })
}

/**
 * Once from Monday to Friday, three times on the triple day; every day where the instrument says daily. Without a
 * rate there is no swap.
 */
function ratesOf(model: ReferenceModel, { weekday }: NewYorkClose): PlainSwapRate[] {
  const isWeekend = weekday === 'Sat' || weekday === 'Sun'
  const timesOf = ({ tripleSwapDay }: PlainInstrument): number => {
    if (tripleSwapDay === 'daily') return 1
    if (isWeekend) return 0
    return weekday.toLowerCase() === tripleSwapDay ? 3 : 1
  }
  return model.instruments
    .map((instrument) => ({
      instrumentId: instrument.id,
      ...instrument.swapRate,
      nights: timesOf(instrument),
    }))
    .filter(({ buy, sell, nights }) => nights > 0 && (buy !== 0 || sell !== 0))
}

/** The first price of an instrument is used for the rollovers that have waited for it. */
export function* priceRollovers(
  model: ReferenceModel,
  quote: PlainQuote,
  { events }: Moment,
): Generator<void, void, void> {
  for (const { at, prices } of model.rollovers) {
    if (prices.has(quote.instrumentId)) continue
    prices.set(quote.instrumentId, asTick(quote))
    events.push({ type: 'pricesMarked', moment: at, prices: [asTick(quote)], night: null })
    model.recordedPrices.push({ moment: at, prices: [asTick(quote)] })
    yield
  }
}

/** Books all swaps of an account whose prices are known. */
export function* bookSwaps(
  model: ReferenceModel,
  accountId: number,
  { events }: Moment,
): Generator<void, void, void> {
  for (const openRollover of model.rollovers) {
    for (const order of positionsOf(model, accountId).toSorted(byId)) {
      const amount = swapDue(model, order, openRollover)
      if (amount === null) continue
      if (amount === 0n) model.notes.push('rollover that rounds to nothing')
      else {
        bookSwap(model, order, openRollover, { amount, events })
        yield
      }
    }
  }
}

/** True while a swap of the rollover lacks a price. */
export const isWaiting = (model: ReferenceModel, openRollover: ReferenceRollover): boolean =>
  model.active
    .filter(isHeld)
    .some((order) => isAffected(order, openRollover) && !pricesOf(model, order, openRollover))

/** True while a swap of the rollover could be booked and is not. */
export const isUnbooked = (model: ReferenceModel, openRollover: ReferenceRollover): boolean =>
  model.active.filter(isHeld).some((order) => (swapDue(model, order, openRollover) ?? 0n) !== 0n)

const rateOf = ({ instrumentId, side }: ReferencePosition, { rates }: ReferenceRollover) => {
  const rate = rates.find((each) => each.instrumentId === instrumentId)
  return rate && { yearlyRate: rate[side], times: rate.nights }
}

/** Open before 17:00:00, not booked yet, and with a rate for its side. */
const isAffected = (order: ReferencePosition, openRollover: ReferenceRollover): boolean =>
  order.openedAt < openRollover.at &&
  order.financedAt < openRollover.at &&
  (rateOf(order, openRollover)?.yearlyRate ?? 0) !== 0

function pricesOf(model: ReferenceModel, order: ReferencePosition, openRollover: ReferenceRollover) {
  const quote = openRollover.prices.get(order.instrumentId)
  const rate = rateNow(model, instrumentOf(model, order), openRollover.prices)
  return quote && rate ? { quote, rate } : null
}

/** The swap of a position at a rollover; null where it has none, or a price is missing. */
export function swapDue(
  model: ReferenceModel,
  order: ReferencePosition,
  openRollover: ReferenceRollover,
): bigint | null {
  const rate = rateOf(order, openRollover)
  const prices = pricesOf(model, order, openRollover)
  if (!isAffected(order, openRollover) || !rate || !prices) return null
  return referenceSwap(instrumentOf(model, order), order, { quote: prices.quote, q: prices.rate.q, ...rate })
}

function bookSwap(
  model: ReferenceModel,
  order: ReferencePosition,
  openRollover: ReferenceRollover,
  { amount, events }: { amount: bigint; events: PlainEvent[] },
): void {
  const prices = pricesOf(model, order, openRollover)
  if (!prices) throw new Error('the reference model books the swap of a rollover without a price')
  order.financedAt = openRollover.at
  // Dated at the rollover, whenever it is booked.
  const transfers = bookTransfer(model, order, amount, {
    brokerAccount: 'swap',
    kind: 'swap',
    at: openRollover.at,
  })
  const receipt = noteReceipt({
    action: 'finance',
    trigger: 'rollover',
    quote: prices.quote,
    conversion: prices.rate.quotes,
    requestedPrice: null,
    // A price received after the rollover has no age.
    at: Math.max(openRollover.at, prices.quote.receivedAt),
    terms: openRollover.terms,
  })
  const { orderId, accountId } = order
  const nights = rateOf(order, openRollover)?.times ?? 0
  const booked = {
    type: 'swapBooked',
    orderId,
    accountId,
    rollover: openRollover.at,
    nights,
    amount,
  } as const
  events.push({ ...booked, receipt, transfers })
}
