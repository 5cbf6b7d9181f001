/**
 * Exact numbers: units, fractions and integers (`rounding.ts` rounds them). Nothing in the core is a binary float.
 *
 * | type   | holds                          | one unit is                     |
 * |--------|--------------------------------|---------------------------------|
 * | Money  | bigint                         | 1e-6 of the account currency    |
 * | Price  | safe integer                   | the instrument's smallest tick  |
 * | Lots   | safe integer                   | 1e-4 lot                        |
 * | Ratio  | safe integer                   | 1e-6 (a fee rate of 0.001 = 1000) |
 *
 * Prices and lots are plain integers because triggers compare them millions of times a second; every product with
 * money in it is a bigint.
 */
declare const brand: unique symbol
type Branded<Base, Name> = Base & { readonly [brand]: Name }

export type Money = Branded<bigint, 'Money'>
export type Price = Branded<number, 'Price'>
export type Lots = Branded<number, 'Lots'>
export type Ratio = Branded<number, 'Ratio'>

export const MONEY_DECIMALS = 6
export const LOTS_DECIMALS = 4
export const RATIO_DECIMALS = 6

/** Decimals of an amount in another currency: coins have more than money. */
export const SENT_DECIMALS = 8
/** Decimals of a deposit's rate: the value of one unit of the currency sent in the account currency. */
export const RATE_DECIMALS = 10

export const MONEY_SCALE = 1_000_000n
export const LOTS_SCALE = 10_000n
export const RATIO_SCALE = 1_000_000n

export const money = (units: bigint): Money => units as Money
export const price = (ticks: number): Price => ticks as Price
export const lots = (units: number): Lots => units as Lots
export const ratio = (units: number): Ratio => units as Ratio

export const NO_MONEY = money(0n)

/** An exact fraction; the denominator is always positive. */
export type Fraction = { readonly numerator: bigint; readonly denominator: bigint }

export const ONE: Fraction = { numerator: 1n, denominator: 1n }

/** The product of two exact fractions, unreduced. */
export const multiply = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.numerator,
  denominator: a.denominator * b.denominator,
})

/** The sum of two exact fractions, unreduced. Equal denominators are kept, so that long sums stay small. */
export const addFractions = (a: Fraction, b: Fraction): Fraction =>
  a.denominator === b.denominator
    ? { numerator: a.numerator + b.numerator, denominator: a.denominator }
    : {
        numerator: a.numerator * b.denominator + b.numerator * a.denominator,
        denominator: a.denominator * b.denominator,
      }

/** `1 / fraction`. The fraction must not be zero. */
export function invert(fraction: Fraction): Fraction {
  if (fraction.numerator === 0n) throw new RangeError('zero has no inverse')
  return fraction.numerator > 0n
    ? { numerator: fraction.denominator, denominator: fraction.numerator }
    : { numerator: -fraction.denominator, denominator: -fraction.numerator }
}

// Cached, because they are needed for every fill and every figure.
const POWERS_OF_TEN = Array.from({ length: 20 }, (_, exponent) => 10n ** BigInt(exponent))

/** 10 to a small integer power, as a bigint. */
export const powerOfTen = (exponent: number): bigint => POWERS_OF_TEN[exponent] ?? 10n ** BigInt(exponent)

export const absolute = (value: bigint): bigint => (value < 0n ? -value : value)
export const smaller = <T extends bigint | number>(a: T, b: T): T => (a < b ? a : b)
export const larger = <T extends bigint | number>(a: T, b: T): T => (a > b ? a : b)
