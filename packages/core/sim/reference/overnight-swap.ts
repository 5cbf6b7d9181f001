/** Overnight financing once more (trading-rules §3): from the prices and rates of 17:00:00 New York alone. */
import type { PlainEvent, PlainInstrument, PlainNightRate, PlainQuote } from '../plain.ts'
import { settle } from './deals.ts'
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
  type ReferenceNight,
  type ReferencePosition,
} from './state.ts'

/** The prices of a moment are written down; at 17:00 New York the night's rates with them. */
export function mark(
  model: ReferenceModel,
  moment: number,
  night: NewYorkClose | null,
  events: PlainEvent[],
): void {
  const prices = [...model.quotes.values()].map(asTick).toSorted((a, b) => a.instrumentId - b.instrumentId)
  const rates = night && ratesOf(model, night)
  events.push({ type: 'pricesMarked', moment, prices, night: rates })
  model.lastMark = Math.max(model.lastMark, moment)
  if (rates === null) return
  model.lastNight = moment
  if (rates.length === 0) return
  const known = new Map(prices.map((tick) => [tick.instrumentId, tick]))
  const made = { at: moment, rates, prices: known, terms: model.termsVersion }
  const hasWaited = isWaiting(model, { ...made, hasWaited: false })
  if (hasWaited) model.notes.push('night waits for a price')
  model.nights.push({ ...made, hasWaited })
}

/** Monday to Friday once, on the triple day three times; crypto every day once. Without a rate there is nothing to pay. */
function ratesOf(model: ReferenceModel, { weekday }: NewYorkClose): PlainNightRate[] {
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

/** The first price of an instrument is the one for the nights that have waited for it. */
export function* priceNights(
  model: ReferenceModel,
  quote: PlainQuote,
  { events }: Moment,
): Generator<void, void, void> {
  for (const { at, prices } of model.nights) {
    if (prices.has(quote.instrumentId)) continue
    prices.set(quote.instrumentId, asTick(quote))
    events.push({ type: 'pricesMarked', moment: at, prices: [asTick(quote)], night: null })
    yield
  }
}

/** All that an account owes or is owed for its nights, as far as their prices are known. */
export function* bookNights(
  model: ReferenceModel,
  accountId: number,
  { events }: Moment,
): Generator<void, void, void> {
  for (const night of model.nights) {
    for (const order of positionsOf(model, accountId).toSorted(byId)) {
      const amount = dueOf(model, order, night)
      if (amount === null) continue
      if (amount === 0n) model.notes.push('night that rounds to nothing')
      else {
        book(model, order, night, { amount, events })
        yield
      }
    }
  }
}

/** True while somebody's financing of a night lacks a price. */
export const isWaiting = (model: ReferenceModel, night: ReferenceNight): boolean =>
  model.living.filter(isHeld).some((order) => isConcerned(order, night) && !pricesOf(model, order, night))

/** True while somebody has not had what can be booked for a night. */
export const isOwed = (model: ReferenceModel, night: ReferenceNight): boolean =>
  model.living.filter(isHeld).some((order) => (dueOf(model, order, night) ?? 0n) !== 0n)

const rateOf = ({ instrumentId, side }: ReferencePosition, { rates }: ReferenceNight) => {
  const rate = rates.find((each) => each.instrumentId === instrumentId)
  return rate && { yearlyRate: rate[side], times: rate.nights }
}

/** Open before 17:00:00, not booked yet, and with a rate for its side. */
const isConcerned = (order: ReferencePosition, night: ReferenceNight): boolean =>
  order.openedAt < night.at && order.financedAt < night.at && (rateOf(order, night)?.yearlyRate ?? 0) !== 0

function pricesOf(model: ReferenceModel, order: ReferencePosition, night: ReferenceNight) {
  const quote = night.prices.get(order.instrumentId)
  const rate = rateNow(model, instrumentOf(model, order), night.prices)
  return quote && rate ? { quote, rate } : null
}

/** What a night comes to for a position; null where it has none, or cannot be known yet. */
export function dueOf(model: ReferenceModel, order: ReferencePosition, night: ReferenceNight): bigint | null {
  const rate = rateOf(order, night)
  const prices = pricesOf(model, order, night)
  if (!isConcerned(order, night) || !rate || !prices) return null
  return referenceSwap(instrumentOf(model, order), order, { quote: prices.quote, q: prices.rate.q, ...rate })
}

function book(
  model: ReferenceModel,
  order: ReferencePosition,
  night: ReferenceNight,
  { amount, events }: { amount: bigint; events: PlainEvent[] },
): void {
  const prices = pricesOf(model, order, night)
  if (!prices) throw new Error('the reference model finances a night without a price')
  order.financedAt = night.at
  // Dated with the night, whenever it is booked.
  const transfers = settle(model, order, amount, { house: 'swap', kind: 'swap', at: night.at })
  const receipt = noteReceipt({
    action: 'finance',
    trigger: 'rollover',
    quote: prices.quote,
    conversion: prices.rate.quotes,
    requestedPrice: null,
    // A price that came after the night has no age.
    at: Math.max(night.at, prices.quote.receivedAt),
    terms: night.terms,
  })
  const { orderId, accountId } = order
  const nights = rateOf(order, night)?.times ?? 0
  const booked = { type: 'swapBooked', orderId, accountId, rollover: night.at, nights, amount } as const
  events.push({ ...booked, receipt, transfers })
}
