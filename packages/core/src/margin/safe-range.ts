/**
 * How far prices may move before an account can reach its stop-out. Every price it depends on may move by the same part
 * of itself, all the wrong way at once; the part is found by trial and proven in exact integers. A range that is too
 * narrow costs a second look, one that is too wide would miss a stop-out: only the first can happen.
 */
import { isStoppedOut, openProfit, type Pricing, type StopOutTerms } from './account-figures.ts'
import type { AccountSnapshot } from './account-snapshot.ts'
import { exposureProfit, profitOf } from '../money/margin-fee-profit.ts'
import type { Instrument } from '../terms/instrument.ts'
import {
  invert,
  larger,
  money,
  multiply,
  ONE,
  powerOfTen,
  price,
  smaller,
  type Fraction,
  type Money,
  type Price,
} from '../money/number.ts'
import { AWAITED, type SafeRange, type SafeRanges } from './margin-watch.ts'
import { closingPrice, type Quote } from '../market/quote.ts'
import type { Exposure } from '../state.ts'

const PARTS = 1_000_000n
/** Prices are never taken to move further than this part of themselves. */
const WIDEST = PARTS / 2n
/** The first trial; from what it would lose the next one is chosen. */
const TRIAL = PARTS / 64n
/** Trials by the rule of three; after them the part is halved. */
const TRIALS = 3

/**
 * The safe range of every price an account depends on. None while no margin is held: then nothing can stop it out. An
 * account with a price missing is looked at when that price comes; one at or below the level on every tick.
 */
export function safeRanges(pricing: Pricing & StopOutTerms, account: AccountSnapshot): SafeRanges {
  if (account.margin === 0n) return new Map()
  const instrumentIds = instrumentsBehind(pricing, account)
  const unknown = instrumentIds.filter((id) => !pricing.quotes.get(id))
  if (unknown.length > 0) return new Map(unknown.map((id) => [id, AWAITED]))
  const part = provenPart(pricing, account)
  if (part === null) return unsafe(instrumentIds)
  const ranges = new Map<number, SafeRange>()
  for (const id of instrumentIds) {
    const quote = pricing.quotes.get(id)
    if (quote) ranges.set(id, rangeOf(quote, part))
  }
  return ranges
}

const unsafe = (instrumentIds: readonly number[]): SafeRanges =>
  new Map(instrumentIds.map((id) => [id, null]))

/** The instruments an account holds, and the pairs that convert their profits. */
export function instrumentsBehind(
  { conversionPaths }: Pick<Pricing, 'conversionPaths'>,
  account: Pick<AccountSnapshot, 'exposures'>,
): number[] {
  const found = new Set<number>()
  for (const id of account.exposures.keys()) {
    found.add(id)
    for (const leg of conversionPaths.get(id) ?? []) found.add(leg.instrument.id)
  }
  return [...found]
}

const rangeOf = (quote: Quote, part: bigint): SafeRange => ({
  bidFloor: quote.bid - share(quote.bid, part),
  askCeiling: quote.ask + share(quote.ask, part),
})

const share = (value: Price, part: bigint): number => Number((BigInt(Math.abs(value)) * part) / PARTS)

/**
 * A part by which all prices may move, found by the rule of three: losses grow at least in proportion, so what a trial
 * loses tells how far to go. Null when not even the prices of now are proven: a spread may close around a mid.
 */
function provenPart(pricing: Pricing & StopOutTerms, account: AccountSnapshot): bigint | null {
  const equity = account.available.balance + openProfit(pricing, account)
  if (isStoppedOut(pricing, equity, account.margin)) return null
  const slack = equity - (BigInt(pricing.settings.stopOutLevel) * account.margin) / 100n - 1n
  const lossAt = (part: bigint) => equity - worstEquity(pricing, account, part)
  // A little less than it may be, for prices move in whole ticks.
  const scaled = (part: bigint, loss: bigint) =>
    smaller(WIDEST, (part * slack * 99n) / (larger(loss, 1n) * 100n))
  let part = scaled(TRIAL, lossAt(TRIAL))
  for (let trial = 1; ; trial += 1) {
    const loss = lossAt(part)
    if (loss <= slack) return part
    if (part === 0n) return null
    part = trial < TRIALS ? scaled(part, loss) : part / 2n
  }
}

/** The least equity while every price stays within its range; rounded as the open profit is. */
function worstEquity(pricing: Pricing, account: AccountSnapshot, part: bigint): bigint {
  let equity: bigint = account.available.balance
  for (const [id, exposure] of account.exposures) {
    const instrument = pricing.instruments.get(id)
    const quote = pricing.quotes.get(id)
    if (instrument && quote) equity += worstProfit(pricing, account, { instrument, exposure, quote, part })
  }
  return equity
}

type Held = { instrument: Instrument; exposure: Exposure; quote: Quote; part: bigint }

function worstProfit(
  pricing: Pricing,
  account: AccountSnapshot,
  { instrument, exposure, quote, part }: Held,
): Money {
  const { bidFloor, askCeiling } = rangeOf(quote, part)
  const worst = { bid: price(bidFloor), ask: price(askCeiling) }
  if (instrument.marginMode === 'fixed') return worstFixedProfit(account, instrument, worst)
  const { least, greatest } = rateWithin(pricing, instrument, part)
  // A loss weighs most at the greatest rate, a gain least at the least.
  const profit = exposureProfit(instrument, exposure, worst, greatest)
  return profit < 0n ? profit : exposureProfit(instrument, exposure, worst, least)
}

/** Each position rounded by itself, less one: their fractions have no common denominator. */
function worstFixedProfit(
  account: AccountSnapshot,
  instrument: Instrument,
  worst: Pick<Quote, 'bid' | 'ask'>,
): Money {
  let sum = 0n
  for (const order of account.orders.values()) {
    if (order.instrumentId !== instrument.id || order.openPrice === null) continue
    const terms = { ...order, openPrice: order.openPrice }
    sum += profitOf(instrument, terms, closingPrice(order.side, worst), ONE) - 1n
  }
  return money(sum)
}

/** The least and the greatest conversion rate while the pairs stay within their ranges; a mid lies between bid and ask. */
function rateWithin(
  pricing: Pick<Pricing, 'conversionPaths' | 'quotes'>,
  instrument: Instrument,
  part: bigint,
): { least: Fraction; greatest: Fraction } {
  let [least, greatest] = [ONE, ONE]
  for (const { instrument: pair, isInverse } of pricing.conversionPaths.get(instrument.id) ?? []) {
    const quote = pricing.quotes.get(pair.id)
    if (!quote) continue
    const { bidFloor, askCeiling } = rangeOf(quote, part)
    const [low, high] = [asRate(pair, bidFloor), asRate(pair, askCeiling)]
    least = multiply(least, isInverse ? invert(high) : low)
    greatest = multiply(greatest, isInverse ? invert(low) : high)
  }
  return { least, greatest }
}

const asRate = (pair: Instrument, ticks: number): Fraction => ({
  numerator: BigInt(ticks),
  denominator: powerOfTen(pair.priceDecimals),
})
