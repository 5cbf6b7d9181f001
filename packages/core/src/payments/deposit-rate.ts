/** The value of a deposit in the account currency: the amount sent at one rate (trading-rules §11). */
import type { DecisionContext } from '../state/running-core.ts'
import { decimalText, fromUnits } from '../model/decimal.ts'
import { conversionPath, convert, type ConversionLeg } from '../model/currency-conversion.ts'
import {
  absolute,
  powerOfTen,
  RATE_DECIMALS,
  SENT_DECIMALS,
  type Fraction,
  type Money,
} from '../model/number.ts'
import { divideRounded, amountAtRate } from '../model/rounding.ts'
import { freshQuote } from '../orders/tradable-market.ts'
import { receiptTick } from '../model/receipt.ts'
import { reject, type Rejection } from '../model/rejection.ts'
import type { State } from '../state/state.ts'
import type { Arrival, ArrivalClaim, Priced, SentMoney } from '../model/money-case.ts'

/** The maximum amount sent: 1e12 of any currency. */
const MAX_SENT = powerOfTen(12 + SENT_DECIMALS)

/** The maximum rate: 1e8 units of the account currency. */
const MAX_RATE = powerOfTen(8 + RATE_DECIMALS)

/** A rate more than tenfold from the mid is a typing error, regardless of who confirms it. */
const FARTHEST_FACTOR = 10n

/** The rejection of an amount sent that is zero, negative or too large. */
export const invalidSentAmount = ({ amount, currency }: Pick<SentMoney, 'amount' | 'currency'>): Rejection =>
  reject('amountInvalid', { amount: `${decimalText(fromUnits(amount, SENT_DECIMALS))} ${currency}` })

export const isValidSentAmount = (amount: bigint): boolean => amount > 0n && amount <= MAX_SENT

/** Rounds an exact rate to its decimals. */
export const roundedRate = ({ numerator, denominator }: Fraction): bigint =>
  divideRounded(numerator * powerOfTen(RATE_DECIMALS), denominator)

type Market = Pick<State, 'instruments' | 'settings' | 'quotes'>

/**
 * The pairs that convert a currency to the account currency; empty for the account currency. Null when there is no
 * path.
 */
export const pathFrom = (
  { instruments, settings }: Pick<State, 'instruments' | 'settings'>,
  currency: string,
): readonly ConversionLeg[] | null =>
  conversionPath([...instruments.values()], currency, settings.accountCurrency)

/** The current value of one unit of a currency by market mids, and the prices behind it; null where unknown. */
export function marketRate(market: Market, currency: string): Priced | null {
  const path = pathFrom(market, currency)
  const conversion = path && convert(path, (id) => market.quotes.get(id))
  if (!conversion) return null
  const rate = roundedRate(conversion.rate)
  return rate > 0n ? { rate, quotes: conversion.quotes.map(receiptTick) } : null
}

/** The rate of a deposit before it arrives: the channel's fixed rate, or the mid. */
export function rateOfSent(
  market: Market,
  { currency, fixedRate }: Pick<SentMoney, 'currency' | 'fixedRate'>,
): Priced | Rejection {
  const mid = marketRate(market, currency)
  if (fixedRate === null) return mid ?? reject('rateUnknown', { currency })
  return checkRate(fixedRate, mid) ?? { rate: fixedRate, quotes: mid?.quotes ?? [] }
}

/** Rejects a rate of zero or below, and an implausible one: tenfold from the mid or more. */
export function checkRate(rate: bigint, mid: Pick<Priced, 'rate'> | null): Rejection | null {
  const isPlausible =
    rate > 0n &&
    rate <= MAX_RATE &&
    (mid === null || (rate <= mid.rate * FARTHEST_FACTOR && mid.rate <= rate * FARTHEST_FACTOR))
  return isPlausible
    ? null
    : reject('rateInvalid', { rate: rateText(rate), mid: mid ? rateText(mid.rate) : 'none' })
}

/** More than one percent from the mid; also where the mid is unknown. */
const isFarFromMid = (rate: bigint, mid: Pick<Priced, 'rate'> | null): boolean =>
  mid === null || absolute(rate - mid.rate) * 100n > mid.rate

export type DepositCredit = {
  readonly arrived: Arrival
  readonly credited: Money
  /** The rate is so far from the mid of the decision that two operators are needed. */
  readonly isFarFromMid: boolean
}

/**
 * The credit for an arrival, decided at `at` (epoch ms): at the channel's fixed rate, else at the mid of the pair
 * when it arrived. The mid of the decision must be fresh, or its market closed, where it is the rate itself.
 */
export function creditFor(
  context: DecisionContext,
  { sent, openedAt }: { readonly sent: SentMoney; readonly openedAt: number },
  claim: ArrivalClaim,
  at: number,
): DepositCredit | Rejection {
  const { state } = context
  const { currency, fixedRate } = sent
  const arrivedAt = claim.at ?? at
  if (!isValidSentAmount(claim.amount)) return invalidSentAmount({ amount: claim.amount, currency })
  if (arrivedAt < openedAt || arrivedAt > at) return reject('arrivalInvalid')
  const mid = marketRate(state, currency)
  const rate = fixedRate ?? (arrivedAt < at ? claim.rate : mid?.rate)
  if (rate === undefined) return reject('rateUnknown', { currency })
  if (fixedRate === null && arrivedAt === at && !isRateUsable(context, currency, at))
    return reject('rateStale', { currency })
  const refused = checkRate(rate, mid)
  if (refused) return refused
  const hasMarket = mid !== null || pathFrom(state, currency) !== null
  return {
    arrived: { currency, amount: claim.amount, at: arrivedAt, rate, quotes: mid?.quotes ?? [] },
    credited: amountAtRate(claim.amount, rate),
    isFarFromMid: hasMarket && isFarFromMid(rate, mid),
  }
}

/**
 * While a pair's market is closed its last price is valid; while it is open but silent, nothing is credited at it.
 */
function isRateUsable({ state, isOpen }: DecisionContext, currency: string, at: number): boolean {
  const path = pathFrom(state, currency) ?? []
  return path.every(({ instrument }) => freshQuote(state, instrument, at) !== null || !isOpen(instrument, at))
}

/** Formats a rate: "1.0834". */
export const rateText = (rate: bigint): string => decimalText(fromUnits(rate, RATE_DECIMALS))
