import { convert, type Conversion, type ConversionLeg } from '../model/currency-conversion.ts'
import { exactNotional, exactProfit, exposureProfit, profitOf } from '../money/margin-fee-profit.ts'
import type { Instrument } from '../model/instrument.ts'
import {
  absolute,
  addFractions,
  larger,
  money,
  NO_MONEY,
  smaller,
  type Fraction,
  type Lots,
  type Money,
} from '../model/number.ts'
import { divideRounded } from '../model/rounding.ts'
import { closingPrice, type Quote } from '../model/quote.ts'
import type { Exposure } from '../state/state.ts'
import type { TradingSettings } from '../model/terms.ts'
import type { AccountSnapshot, SnapshotOrder } from '../state/account-snapshot.ts'

/** The figures of an account now (trading-rules §3). Computed on every call, never stored. */
export type AccountFigures = {
  readonly balance: Money
  /** Open profit of all positions. */
  readonly profit: Money
  /** Balance and open profit: the net value. */
  readonly equity: Money
  readonly margin: Money
  /** Reserved for pending orders. */
  readonly reserved: Money
  /** Equity less margin and reserves: the available prepayment. */
  readonly free: Money
  /** Equity / margin; null while no margin is used. Compare it by multiplying across, not by dividing. */
  readonly level: Fraction | null
}

type Lookup<Value> = Pick<ReadonlyMap<number, Value>, 'get'>

/**
 * What figures are computed from, by instrument: its terms, its price (published or of a scenario), and the
 * conversion to the account currency.
 */
export type Pricing = {
  readonly instruments: Lookup<Instrument>
  readonly quotes: Lookup<Quote>
  readonly conversionPaths: Lookup<readonly ConversionLeg[] | null>
}

/** The level at or below which an account is stopped out. */
export type StopOutTerms = { readonly settings: Pick<TradingSettings, 'stopOutLevel'> }

/** The conversion of an instrument's quote currency to the account currency, at the prices given. */
export function conversionOf(
  { conversionPaths, quotes }: Pick<Pricing, 'conversionPaths' | 'quotes'>,
  { id }: Pick<Instrument, 'id'>,
): Conversion | null {
  const path = conversionPaths.get(id)
  return path ? convert(path, (pairId) => quotes.get(pairId)) : null
}

/** The profit an order would book if it closed now; null while a price is missing. */
export function floatingProfit(pricing: Pricing, order: SnapshotOrder): Money | null {
  const priced = pricesFor(pricing, order.instrumentId)
  if (!priced || order.openPrice === null) return null
  const terms = { ...order, openPrice: order.openPrice }
  return profitOf(priced.instrument, terms, closingPrice(order.side, priced.quote), priced.conversion.rate)
}

/**
 * What a position is worth now: lots x contract size x |mid| x rate, rounded; in fixed margin mode margin x leverage.
 * Null while a price is missing.
 */
export function notionalOf(
  pricing: Pricing,
  position: {
    readonly instrumentId: number
    readonly lots: Lots
    readonly margin: Money
    readonly leverage: number
  },
): Money | null {
  const priced = pricesFor(pricing, position.instrumentId)
  if (!priced) return null
  const { instrument, quote, conversion } = priced
  if (instrument.marginMode === 'fixed') return money(position.margin * BigInt(position.leverage))
  const twiceMid = absolute(BigInt(quote.bid) + BigInt(quote.ask))
  const twice = exactNotional(instrument, BigInt(position.lots) * twiceMid, conversion.rate)
  return money(divideRounded(twice.numerator, 2n * twice.denominator))
}

/**
 * Open profit of an account: summed exactly per instrument, rounded once per instrument, then added. Positions
 * without a price count as zero; nothing is decided before their first tick.
 */
export function openProfit(pricing: Pricing, account: AccountSnapshot): Money {
  let total = 0n
  for (const instrumentId of account.exposures.keys()) total += profitOn(pricing, account, instrumentId)
  return money(total)
}

/** Open profit of an account's positions on one instrument, rounded once; zero while it has no price. */
export function profitOn(pricing: Pricing, account: AccountSnapshot, instrumentId: number): Money {
  const exposure = account.exposures.get(instrumentId)
  const priced = exposure && pricesFor(pricing, instrumentId)
  return priced ? instrumentProfit(account, exposure, priced) : NO_MONEY
}

/** True when every position of an account has a price, however old: without one its equity is not known. */
export function isPriced(pricing: Pricing, account: Pick<AccountSnapshot, 'exposures'>): boolean {
  for (const instrumentId of account.exposures.keys()) {
    if (!pricesFor(pricing, instrumentId)) return false
  }
  return true
}

type Prices = { instrument: Instrument; quote: Quote; conversion: Conversion }

function pricesFor(pricing: Pricing, instrumentId: number): Prices | null {
  const instrument = pricing.instruments.get(instrumentId)
  const quote = pricing.quotes.get(instrumentId)
  const conversion = instrument ? conversionOf(pricing, instrument) : null
  return instrument && quote && conversion ? { instrument, quote, conversion } : null
}

function instrumentProfit(account: AccountSnapshot, exposure: Exposure, prices: Prices): Money {
  const { instrument, quote, conversion } = prices
  if (instrument.marginMode === 'fixed') return fixedModeProfit(account, prices)
  return exposureProfit(instrument, exposure, quote, conversion.rate)
}

/** In fixed margin mode each position has its own denominator, so they are added as fractions one by one. */
function fixedModeProfit(account: AccountSnapshot, { instrument, quote, conversion }: Prices): Money {
  let sum: Fraction = { numerator: 0n, denominator: 1n }
  for (const order of account.orders.values()) {
    if (order.instrumentId !== instrument.id || order.openPrice === null) continue
    const terms = { ...order, openPrice: order.openPrice }
    sum = addFractions(sum, exactProfit(instrument, terms, closingPrice(order.side, quote), conversion.rate))
  }
  return money(divideRounded(sum.numerator, sum.denominator))
}

/** All figures of an account at the prices given. */
export function figuresOf(pricing: Pricing, account: AccountSnapshot): AccountFigures {
  const balance = account.available.balance
  const profit = openProfit(pricing, account)
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
export const isStoppedOut = ({ settings }: StopOutTerms, equity: bigint, margin: bigint): boolean =>
  margin > 0n && equity * 100n <= BigInt(settings.stopOutLevel) * margin

/** The withdrawable amount: floating profit cannot be withdrawn (trading-rules §3). Never below zero. */
export const withdrawable = (figures: Pick<AccountFigures, 'balance' | 'free'>): Money =>
  larger(NO_MONEY, smaller(figures.balance, figures.free))
