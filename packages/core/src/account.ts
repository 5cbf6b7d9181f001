import { convert, type Conversion } from './conversion.ts'
import { exactProfit, exposureProfit, profitOf } from './formula.ts'
import type { Instrument } from './instrument.ts'
import {
  addFractions,
  divideRounded,
  larger,
  money,
  NO_MONEY,
  smaller,
  type Fraction,
  type Money,
} from './number.ts'
import type { Order } from './order.ts'
import { closingPrice, type Quote } from './quote.ts'
import type { Account, Exposure, State } from './state.ts'

/** What an account is worth now (trading-rules §3). Worked out on every asking, never stored. */
export type AccountFigures = {
  readonly balance: Money
  /** Open profit of all positions. */
  readonly profit: Money
  /** Balance and open profit: the net value. */
  readonly equity: Money
  readonly margin: Money
  /** Held back for pending orders. */
  readonly reserved: Money
  /** Equity less margin and reserves: the available prepayment. */
  readonly free: Money
  /** Equity / margin; null while no margin is used. Compare it by multiplying across, not by dividing. */
  readonly level: Fraction | null
}

/** The published prices, or others to ask "what if". */
export type Quotes = Pick<State['quotes'], 'get'>

/** The conversion of an instrument's quote currency to the account currency, at the prices known now. */
export function conversionOf(
  state: State,
  instrument: Instrument,
  quotes: Quotes = state.quotes,
): Conversion | null {
  const path = state.conversionPaths.get(instrument.id)
  return path ? convert(path, (id) => quotes.get(id)) : null
}

/** The profit an order would book if it closed now; null while a price for it is missing. */
export function floatingProfit(state: State, order: Order): Money | null {
  const priced = pricesFor(state, order.instrumentId, state.quotes)
  if (!priced || order.openPrice === null) return null
  const terms = { ...order, openPrice: order.openPrice }
  return profitOf(priced.instrument, terms, closingPrice(order.side, priced.quote), priced.conversion.rate)
}

/**
 * Open profit of an account: summed exactly per instrument, rounded once per instrument, then added. Positions
 * without any price yet count as zero; nothing is decided before their first tick.
 */
export function openProfit(state: State, account: Account, quotes: Quotes = state.quotes): Money {
  let total = 0n
  for (const [instrumentId, exposure] of account.exposures) {
    const priced = pricesFor(state, instrumentId, quotes)
    if (priced) total += instrumentProfit(account, exposure, priced)
  }
  return money(total)
}

/** True when every position of an account has a price, however old: without one its equity is not known. */
export function isPriced(state: State, account: Account): boolean {
  for (const instrumentId of account.exposures.keys()) {
    if (!pricesFor(state, instrumentId, state.quotes)) return false
  }
  return true
}

type Prices = { instrument: Instrument; quote: Quote; conversion: Conversion }

function pricesFor(state: State, instrumentId: number, quotes: Quotes): Prices | null {
  const instrument = state.instruments.get(instrumentId)
  const quote = quotes.get(instrumentId)
  const conversion = instrument ? conversionOf(state, instrument, quotes) : null
  return instrument && quote && conversion ? { instrument, quote, conversion } : null
}

function instrumentProfit(account: Account, exposure: Exposure, prices: Prices): Money {
  const { instrument, quote, conversion } = prices
  if (instrument.marginMode === 'fixed') return fixedModeProfit(account, prices)
  return exposureProfit(instrument, exposure, quote, conversion.rate)
}

/** In fixed margin mode each position has a denominator of its own, so they are added as fractions, one by one. */
function fixedModeProfit(account: Account, { instrument, quote, conversion }: Prices): Money {
  let sum: Fraction = { numerator: 0n, denominator: 1n }
  for (const order of account.orders.values()) {
    if (order.instrumentId !== instrument.id || order.openPrice === null) continue
    const terms = { ...order, openPrice: order.openPrice }
    sum = addFractions(sum, exactProfit(instrument, terms, closingPrice(order.side, quote), conversion.rate))
  }
  return money(divideRounded(sum.numerator, sum.denominator))
}

/** All figures of an account at the prices known now. */
export function figuresOf(state: State, account: Account): AccountFigures {
  const balance = account.available.balance
  const profit = openProfit(state, account)
  const equity = money(balance + profit)
  return {
    balance,
    profit,
    equity,
    margin: account.margin,
    reserved: account.reserved,
    free: money(equity - account.margin - account.reserved),
    level: account.margin > 0n ? { numerator: equity, denominator: account.margin } : null,
  }
}

/** True when equity / margin is at or below the stop-out level; compared by multiplying across (trading-rules §3). */
export const isStoppedOut = (state: State, equity: bigint, margin: bigint): boolean =>
  margin > 0n && equity * 100n <= BigInt(state.settings.stopOutLevel) * margin

/** Money that may leave: floating profit cannot be withdrawn (trading-rules §3). Never below zero. */
export const withdrawable = (figures: AccountFigures): Money =>
  larger(NO_MONEY, smaller(figures.balance, figures.free))
