/**
 * How far prices may move before an account can reach its stop-out. Every price it depends on may move by the same part
 * of itself, all the wrong way at once; the part is chosen from the account's slack and then proven in exact integers.
 * A range that is too narrow costs a second look, one that is too wide would cost an exact stop-out: only the first can
 * happen.
 */
import { isStoppedOut, openProfit } from './account.ts'
import type { ConversionLeg } from './conversion.ts'
import { exactProfit } from './formula.ts'
import type { Instrument } from './instrument.ts'
import {
  divideRounded,
  invert,
  LOTS_SCALE,
  MONEY_SCALE,
  multiply,
  ONE,
  powerOfTen,
  type Fraction,
  type Price,
} from './number.ts'
import type { SafeRange } from './margin-watch.ts'
import type { Quote } from './quote.ts'
import type { Account, Exposure, State } from './state.ts'

const PARTS = 1_000_000n
/** Prices are never taken to move further than this part of themselves. */
const WIDEST = PARTS / 2n

/** Looked at again on every tick of the instrument. */
const NEVER_SAFE: SafeRange = { bidFloor: Infinity, askCeiling: null }

type Bounds = { readonly low: Price; readonly high: Price }

/** The safe range of every price an account depends on; without positions there are none. */
export function safeRanges(state: State, account: Account): Map<number, SafeRange> {
  const instruments = instrumentsBehind(state, account)
  const equity = account.available.balance + openProfit(state, account)
  const quotes = instruments.map((instrument) => state.quotes.get(instrument.id))
  const isKnown = quotes.every((quote) => quote !== undefined)
  if (!isKnown || isStoppedOut(state, equity, account.margin)) {
    return new Map(instruments.map(({ id }) => [id, NEVER_SAFE]))
  }
  const part = provenPart(state, account, firstPart(state, account, equity))
  return new Map(
    quotes.flatMap((quote) => (quote ? [[quote.instrumentId, rangeOf(quote, part)] as const] : [])),
  )
}

/** The instruments an account holds, and the pairs that convert their profits. */
function instrumentsBehind(state: State, account: Account): Instrument[] {
  const found = new Map<number, Instrument>()
  for (const id of account.exposures.keys()) {
    const instrument = state.instruments.get(id)
    if (instrument) found.set(id, instrument)
    for (const leg of state.conversionPaths.get(id) ?? []) found.set(leg.instrument.id, leg.instrument)
  }
  return [...found.values()]
}

const rangeOf = (quote: Quote, part: bigint): SafeRange => {
  const { low, high } = boundsOf(quote, part)
  return { bidFloor: low, askCeiling: high }
}

const boundsOf = (quote: Quote, part: bigint): Bounds => ({
  low: (quote.bid - Number((BigInt(Math.abs(quote.bid)) * part) / PARTS)) as Price,
  high: (quote.ask + Number((BigInt(Math.abs(quote.ask)) * part) / PARTS)) as Price,
})

/** The slack over the gross exposure: exact for one position in the account currency, a start for all others. */
function firstPart(state: State, account: Account, equity: bigint): bigint {
  let gross = 0n
  for (const [id, exposure] of account.exposures) gross += grossOf(state, account, id, exposure)
  const slack = equity - (BigInt(state.settings.stopOutLevel) * account.margin) / 100n
  if (gross <= 0n) return WIDEST
  const part = (slack * PARTS) / gross
  return part < WIDEST ? part : WIDEST
}

/** What the positions on an instrument are worth, in 1e-6 of the account currency: rough, as it is only a start. */
function grossOf(state: State, account: Account, instrumentId: number, exposure: Exposure): bigint {
  const instrument = state.instruments.get(instrumentId)
  const quote = state.quotes.get(instrumentId)
  if (!instrument || !quote) return 0n
  if (instrument.marginMode === 'fixed') {
    let sum = 0n
    for (const order of account.orders.values()) {
      if (order.instrumentId === instrumentId && order.openPrice !== null)
        sum += order.margin * BigInt(order.leverage)
    }
    return sum
  }
  const rate = rateWithin(state, instrument, 0n)
  const units =
    (exposure.longLots + exposure.shortLots) * BigInt(Math.abs(quote.ask)) * BigInt(instrument.contractSize)
  const scale = LOTS_SCALE * powerOfTen(instrument.priceDecimals) * rate.high.denominator
  return divideRounded(units * MONEY_SCALE * rate.high.numerator, scale)
}

/** The part, or the first half, quarter, … of it at which even the worst prices leave the account above its stop-out. */
function provenPart(state: State, account: Account, first: bigint): bigint {
  for (let part = first; part > 0n; part /= 2n) {
    if (!isStoppedOut(state, worstEquity(state, account, part), account.margin)) return part
  }
  return 0n
}

/** The least equity while every price stays within its bounds; rounded down, less one for each rounding on the way. */
function worstEquity(state: State, account: Account, part: bigint): bigint {
  let equity: bigint = account.available.balance
  for (const [id, exposure] of account.exposures) {
    const instrument = state.instruments.get(id)
    const quote = state.quotes.get(id)
    if (!instrument || !quote) continue
    const worst = worstProfit(state, account, { instrument, exposure, bounds: boundsOf(quote, part), part })
    equity += divideRounded(worst.numerator, worst.denominator) - 1n
  }
  return equity
}

function worstProfit(
  state: State,
  account: Account,
  held: { instrument: Instrument; exposure: Exposure; bounds: Bounds; part: bigint },
): Fraction {
  const { instrument, exposure, bounds, part } = held
  if (instrument.marginMode === 'fixed') return worstFixedProfit(account, instrument, bounds)
  const gain =
    BigInt(bounds.low) * exposure.longLots -
    exposure.longCost +
    exposure.shortCost -
    BigInt(bounds.high) * exposure.shortLots
  const { low, high } = rateWithin(state, instrument, part)
  // A loss weighs most at the highest rate, a gain least at the lowest.
  const rate = gain < 0n ? high : low
  return {
    numerator: gain * BigInt(instrument.contractSize) * MONEY_SCALE * rate.numerator,
    denominator: LOTS_SCALE * powerOfTen(instrument.priceDecimals) * rate.denominator,
  }
}

/** Each position rounded down by itself: their fractions have no common denominator. */
function worstFixedProfit(account: Account, instrument: Instrument, bounds: Bounds): Fraction {
  let sum = 0n
  for (const order of account.orders.values()) {
    if (order.instrumentId !== instrument.id || order.openPrice === null) continue
    const closing = order.side === 'buy' ? bounds.low : bounds.high
    const profit = exactProfit(instrument, { ...order, openPrice: order.openPrice }, closing, ONE)
    sum += divideRounded(profit.numerator, profit.denominator) - 1n
  }
  return { numerator: sum, denominator: 1n }
}

/** The least and the greatest conversion rate while the pairs stay within their bounds; a mid lies between bid and ask. */
function rateWithin(state: State, instrument: Instrument, part: bigint): { low: Fraction; high: Fraction } {
  let low = ONE
  let high = ONE
  for (const leg of state.conversionPaths.get(instrument.id) ?? []) {
    const quote = state.quotes.get(leg.instrument.id)
    if (!quote) continue
    const bounds = boundsOf(quote, part)
    const [least, greatest] = [asRate(leg, bounds.low), asRate(leg, bounds.high)]
    low = multiply(low, leg.isInverse ? greatest : least)
    high = multiply(high, leg.isInverse ? least : greatest)
  }
  return { low, high }
}

function asRate({ instrument, isInverse }: ConversionLeg, price: Price): Fraction {
  const rate = { numerator: BigInt(price), denominator: powerOfTen(instrument.priceDecimals) }
  return isInverse ? invert(rate) : rate
}
