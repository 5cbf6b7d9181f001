import type { Price } from '@fairlot/core'

declare const brand: unique symbol

/**
 * A plain decimal number as text in its one canonical form: no exponent, no plus sign, no superfluous zeros, never
 * "-0". Prices and percentages travel through our code like this where the number of decimals is not known.
 */
export type Decimal = string & { readonly [brand]: 'Decimal' }

export type DecimalLimits = { readonly wholeDigits: number; readonly fractionDigits: number }

/** Digits beyond these may not survive a binary double. */
const SAFE_DIGITS = 15
const PLAIN = /^(-?)(\d+)(?:\.(\d+))?$/

/**
 * Reads a JSON number or decimal text. Null when it is anything else: an exponent, a plus sign, spaces, "0x10", "",
 * more digits than the limits allow, or a JSON number so long that it may have been rounded on its way.
 */
export function readDecimal(value: number | string, limits: DecimalLimits): Decimal | null {
  return typeof value === 'number' ? readNumber(value, limits) : readText(value, limits)
}

/** The shortest text of a double is canonical already; this is the hot path of every price message. */
function readNumber(value: number, limits: DecimalLimits): Decimal | null {
  const text = String(value)
  if (!Number.isFinite(value) || text.includes('e')) return null
  const length = value < 0 ? text.length - 1 : text.length
  const point = text.indexOf('.')
  const fractionDigits = point < 0 ? 0 : text.length - point - 1
  const wholeDigits = point < 0 ? length : length - fractionDigits - 1
  const isWithin = wholeDigits <= limits.wholeDigits && fractionDigits <= limits.fractionDigits
  return isWithin && (length <= SAFE_DIGITS || significantDigits(text) <= SAFE_DIGITS)
    ? (text as Decimal)
    : null
}

function readText(text: string, limits: DecimalLimits): Decimal | null {
  if (text.length > limits.wholeDigits + limits.fractionDigits + 2) return null
  const match = PLAIN.exec(text)
  if (!match) return null
  const [, sign = '', whole = '', fraction = ''] = match
  if (whole.length > limits.wholeDigits || fraction.length > limits.fractionDigits) return null
  return canonical(sign, whole, fraction)
}

/** A decimal for the wire: a JSON number up to 15 significant digits, else text. */
export function writeDecimal(decimal: Decimal): number | string {
  const isSafe = decimal.length <= SAFE_DIGITS || significantDigits(decimal) <= SAFE_DIGITS
  const value = Number(decimal)
  return isSafe && String(value) === decimal ? value : decimal
}

/** The decimal in whole units of 10^-decimals; null when it has more decimals than that. */
export function toUnits(decimal: Decimal, decimals: number): bigint | null {
  const [whole = '', fraction = ''] = decimal.split('.')
  if (fraction.length > decimals) return null
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** Whole units of 10^-decimals as a decimal: (12340n, 4) is "1.234". */
export function fromUnits(units: bigint | number, decimals: number): Decimal {
  const isNegative = units < 0
  const digits = String(isNegative ? -units : units).padStart(decimals + 1, '0')
  const point = digits.length - decimals
  return canonical(isNegative ? '-' : '', digits.slice(0, point), digits.slice(point))
}

/** A price in ticks of an instrument; null when it has more decimals than the instrument's or is beyond counting. */
export function toTicks(decimal: Decimal, priceDecimals: number): Price | null {
  const units = toUnits(decimal, priceDecimals)
  const ticks = Number(units)
  return units !== null && Number.isSafeInteger(ticks) ? (ticks as Price) : null
}

/** A price in ticks as a decimal: (108472, 5) is "1.08472". */
export const fromTicks = (price: Price, priceDecimals: number): Decimal => fromUnits(price, priceDecimals)

/** The decimal with exactly so many digits after the point, for reading: ("1.5", 2) is "1.50". It never rounds. */
export function withDecimals(decimal: Decimal, decimals: number): string {
  const [whole = '', fraction = ''] = decimal.split('.')
  return decimals === 0 && fraction === '' ? whole : `${whole}.${fraction.padEnd(decimals, '0')}`
}

const PERCENT_DECIMALS = 4

/** The way from one price to another in percent of the first, four decimals, half away from zero; null from zero. */
export function percentChange(from: Decimal, to: Decimal): Decimal | null {
  const decimals = Math.max(from.length, to.length)
  const start = toUnits(from, decimals)
  const end = toUnits(to, decimals)
  if (start === null || end === null || start === 0n) return null
  const base = start < 0n ? -start : start
  return fromUnits(
    roundedQuotient((end - start) * 100n * 10n ** BigInt(PERCENT_DECIMALS), base),
    PERCENT_DECIMALS,
  )
}

/** A percentage of an exact fraction (1 is 100 %), two decimals, half away from zero. The denominator is positive. */
export const percentOf = (fraction: { readonly numerator: bigint; readonly denominator: bigint }): Decimal =>
  fromUnits(roundedQuotient(fraction.numerator * 10_000n, fraction.denominator), 2)

function roundedQuotient(numerator: bigint, denominator: bigint): bigint {
  const half = denominator / 2n
  return numerator >= 0n ? (numerator + half) / denominator : -((-numerator + half) / denominator)
}

function canonical(sign: string, whole: string, fraction: string): Decimal {
  const head = whole.replace(/^0+(?=\d)/, '')
  const tail = fraction.replace(/0+$/, '')
  const text = tail === '' ? head : `${head}.${tail}`
  return (text === '0' ? text : sign + text) as Decimal
}

const significantDigits = (text: string): number => text.replace(/[-.]/g, '').replace(/^0+/, '').length
