/**
 * How far prices may move before an account can reach its stop-out, or a copy its stop loss. All prices it depends on may move adversely by
 * the same fraction at once; the fraction is found by trial and verified in exact integers. A band that is too narrow
 * costs an unnecessary check, one that is too wide would miss a stop-out: only the former can happen.
 */
import { openProfit, type Pricing, type StopOutTerms } from './account-figures.ts'
import type { AccountSnapshot } from '../state/account-snapshot.ts'
import { exposureProfit, profitOf } from '../money/margin-fee-profit.ts'
import type { Instrument } from '../model/instrument.ts'
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
} from '../model/number.ts'
import { AWAITED, type StopOutPriceBand, type StopOutPriceBands } from '../state/margin-watch.ts'
import { closingPrice, type Quote } from '../model/quote.ts'
import type { Exposure } from '../state/state.ts'

const PARTS = 1_000_000n
/** The largest fraction considered. */
const WIDEST = PARTS / 2n
/** The first trial; the next is chosen by its loss. */
const TRIAL = PARTS / 64n
/** Number of proportional trials; after them the fraction is halved. */
const TRIALS = 3

/**
 * The stop-out price band of every price that an account depends on. None without margin. An account with a missing
 * price is checked when that price arrives; one at or below the level on every tick.
 */
export function stopOutPriceBands(
  pricing: Pricing & StopOutTerms,
  account: AccountSnapshot,
): StopOutPriceBands {
  if (account.margin === 0n) return new Map()
  const instrumentIds = instrumentsBehind(pricing, account)
  const unknown = instrumentIds.filter((id) => !pricing.quotes.get(id))
  if (unknown.length > 0) return new Map(unknown.map((id) => [id, AWAITED]))
  const part = safePart(pricing, account)
  if (part === null) return unsafeBands(instrumentIds)
  const bands = new Map<number, StopOutPriceBand>()
  for (const id of instrumentIds) {
    const quote = pricing.quotes.get(id)
    if (quote) bands.set(id, bandOf(quote, part))
  }
  return bands
}

const unsafeBands = (instrumentIds: readonly number[]): StopOutPriceBands =>
  new Map(instrumentIds.map((id) => [id, null]))

/** The instruments of an account's positions, and the pairs that convert their profits. */
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

const bandOf = (quote: Quote, part: bigint): StopOutPriceBand => ({
  bidFloor: quote.bid - partOf(quote.bid, part),
  askCeiling: quote.ask + partOf(quote.ask, part),
})

const partOf = (value: Price, part: bigint): number => Number((BigInt(Math.abs(value)) * part) / PARTS)

/**
 * A fraction by which all prices may move, found proportionally: losses grow at least in proportion to the move. Null
 * when not even the current prices are safe, because a spread may narrow around its mid.
 */
function safePart(pricing: Pricing & StopOutTerms, account: AccountSnapshot): bigint | null {
  const equity = account.available.balance + openProfit(pricing, account)
  const lowest = lowestEquity(pricing, account)
  if (equity * 100n <= lowest) return null
  const slack = equity - lowest / 100n - 1n
  const lossAt = (part: bigint) => equity - worstEquity(pricing, account, part)
  // Slightly less than possible, because prices move in whole ticks.
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

/** The equity of the stop-out, or of the stop loss of a copy where that is higher; times 100. */
const lowestEquity = (
  { settings }: StopOutTerms,
  { margin, copy }: Pick<AccountSnapshot, 'margin' | 'copy'>,
): bigint =>
  larger(
    BigInt(settings.stopOutLevel) * margin,
    copy && copy.status !== 'ending' ? copy.base * BigInt(copy.stopLoss) : 0n,
  )

/** The lowest equity while every price stays within its band; rounded like the open profit. */
function worstEquity(pricing: Pricing, account: AccountSnapshot, part: bigint): bigint {
  let equity: bigint = account.available.balance
  for (const [id, exposure] of account.exposures) {
    const instrument = pricing.instruments.get(id)
    const quote = pricing.quotes.get(id)
    if (instrument && quote) equity += worstProfit(pricing, account, { instrument, exposure, quote, part })
  }
  return equity
}

type HeldExposure = { instrument: Instrument; exposure: Exposure; quote: Quote; part: bigint }

function worstProfit(
  pricing: Pricing,
  account: AccountSnapshot,
  { instrument, exposure, quote, part }: HeldExposure,
): Money {
  const { bidFloor, askCeiling } = bandOf(quote, part)
  const worst = { bid: price(bidFloor), ask: price(askCeiling) }
  if (instrument.marginMode === 'fixed') return worstFixedProfit(account, instrument, worst)
  const { least, greatest } = rateWithin(pricing, instrument, part)
  // A loss is largest at the highest rate, a gain smallest at the lowest.
  const profit = exposureProfit(instrument, exposure, worst, greatest)
  return profit < 0n ? profit : exposureProfit(instrument, exposure, worst, least)
}

/** Each position is rounded separately, less one unit: their fractions have no common denominator. */
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

/** The lowest and highest conversion rate while the pairs stay within their bands; a mid lies between bid and ask. */
function rateWithin(
  pricing: Pick<Pricing, 'conversionPaths' | 'quotes'>,
  instrument: Instrument,
  part: bigint,
): { least: Fraction; greatest: Fraction } {
  let [least, greatest] = [ONE, ONE]
  for (const { instrument: pair, isInverse } of pricing.conversionPaths.get(instrument.id) ?? []) {
    const quote = pricing.quotes.get(pair.id)
    if (!quote) continue
    const { bidFloor, askCeiling } = bandOf(quote, part)
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
