/**
 * Decimal numbers: the only place where they are parsed and formatted, exactly; `rounding.ts` rounds them. Units are
 * integers of 10^-decimals: 6 decimals for money, 4 for lots, those of its instrument for a price.
 */
import { powerOfTen, price, type Price } from './number.ts'
import { rescale } from './rounding.ts'

declare const brand: unique symbol

/**
 * A decimal number whose unit is not known yet, in its JSON form: a number where a double is exact (at most 15
 * significant digits, at least 1e-6), else plain text without superfluous zeros. Each value has one form, so equal
 * ones are `===`. It is parsed once, passed on unchanged, and converted to units for arithmetic.
 */
export type Decimal = (number | string) & { readonly [brand]: 'Decimal' }

const SAFE_DIGITS = 15
const SAFE_UNITS = 10 ** SAFE_DIGITS
/** JavaScript writes smaller numbers with an exponent. */
const MIN_NUMBER = 1e-6

const WHOLE_DIGITS = 12
const FRACTION_DIGITS = 18

const PLAIN = /^(-?)(\d+)(?:\.(\d+))?$/

/** All powers of ten that a double holds exactly. */
const TENS = Array.from({ length: 23 }, (_, exponent) => Number(powerOfTen(exponent)))

/**
 * Parses a decimal with at most `decimals` digits after the point and `wholeDigits` before it: plain text or a JSON
 * number. Null for everything else: an exponent, a plus sign, spaces, "0x10", "", surplus digits other than zeros,
 * and a JSON number so long that it may already have been rounded.
 */
export function readDecimal(
  value: number | string,
  decimals: number,
  wholeDigits = WHOLE_DIGITS,
): Decimal | null {
  if (typeof value === 'number' && unitsOfNumber(value, decimals) !== null)
    return Math.abs(value) < 10 ** wholeDigits ? ((value + 0) as Decimal) : null
  const digits = digitsOf(value, wholeDigits)
  return digits && digits.fraction.length <= decimals ? decimalOf(digits) : null
}

/** The same in units; null where `readDecimal` is null. */
export function parseDecimal(value: number | string, decimals: number): bigint | null {
  const digits = digitsOf(value)
  return digits && unitsOfDigits(digits, decimals)
}

/**
 * Parses a number in units, rounding digits beyond `decimals` half away from zero. Null for anything but plain text
 * or a finite number, and beyond 12 digits before the point or 18 after it.
 */
export function parseRounded(value: number | string, decimals: number): bigint | null {
  const digits = digitsWithin(typeof value === 'number' ? roundableText(value) : value)
  if (!digits) return null
  const { length } = digits.fraction
  const units = unitsOfDigits(digits, Math.max(length, decimals))
  return units !== null && length > decimals ? rescale(units, length, decimals) : units
}

/** Formats units as plain text with all decimals: (12345n, 2) is "123.45". */
export function formatDecimal(units: bigint | number, decimals: number): string {
  const digits = String(units < 0 ? -units : units).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = decimals === 0 ? '' : `.${digits.slice(-decimals)}`
  return `${units < 0 ? '-' : ''}${whole}${fraction}`
}

/** Formats a decimal as plain text with at least so many digits after the point: (1.5, 2) is "1.50". Never rounds. */
export function decimalText(decimal: Decimal, least = 0): string {
  const text = String(decimal)
  const decimals = fractionDigits(text)
  return decimals >= least ? text : `${text}${decimals === 0 ? '.' : ''}${'0'.repeat(least - decimals)}`
}

/** Number of digits after the point. */
export const fractionDigits = (text: string): number => text.split('.')[1]?.length ?? 0

/** Converts a decimal or plain text to units; null when it has more decimals or is not a decimal. */
export function toUnits(decimal: Decimal | string, decimals: number): bigint | null {
  const digits = digitsIn(String(decimal))
  return digits && unitsOfDigits(digits, decimals)
}

/** Units as a decimal: (12340n, 4) is 1.234. */
export function fromUnits(units: bigint | number, decimals: number): Decimal {
  const value = Number(units) / (TENS[decimals] ?? NaN)
  if (Math.abs(Number(units)) < SAFE_UNITS && isWrittenPlain(value)) return (value + 0) as Decimal
  return decimalOf(digitsIn(formatDecimal(units, decimals)) as Digits)
}

/** Converts a price to ticks of its instrument; null when it has more decimals or is not a safe integer. */
export function toTicks(decimal: Decimal, priceDecimals: number): Price | null {
  const short = typeof decimal === 'number' ? unitsOfNumber(decimal, priceDecimals) : null
  const ticks = short ?? Number(toUnits(decimal, priceDecimals) ?? NaN)
  return Number.isSafeInteger(ticks) ? price(ticks) : null
}

/** A price in ticks as a decimal: (108472, 5) is 1.08472. */
export const fromTicks = (ticks: Price, priceDecimals: number): Decimal => fromUnits(ticks, priceDecimals)

/** `fraction` has no trailing zeros. */
type Digits = { readonly sign: string; readonly whole: string; readonly fraction: string }

function digitsIn(text: string): Digits | null {
  const match = PLAIN.exec(text)
  if (!match) return null
  const [, sign = '', whole = '', fraction = ''] = match
  return { sign, whole, fraction: fraction.replace(/0+$/, '') }
}

/** The digits of an external text. */
function digitsWithin(text: string, wholeDigits = WHOLE_DIGITS): Digits | null {
  if (text.length > wholeDigits + FRACTION_DIGITS + 2) return null
  const digits = digitsIn(text)
  return digits && digits.whole.length <= wholeDigits && digits.fraction.length <= FRACTION_DIGITS
    ? digits
    : null
}

/** Null for a number so long that it may have lost digits as a double. */
function digitsOf(value: number | string, wholeDigits?: number): Digits | null {
  const text = String(value)
  const isExact = text === value || significantDigits(text) <= SAFE_DIGITS
  return isExact ? digitsWithin(text, wholeDigits) : null
}

function unitsOfDigits({ sign, whole, fraction }: Digits, decimals: number): bigint | null {
  if (fraction.length > decimals) return null
  const units = BigInt(whole + fraction.padEnd(decimals, '0'))
  return sign === '' ? units : -units
}

/**
 * A JSON number in units; null where its digits must be parsed. Division rounds to the nearest double, as parsing
 * does, so up to 15 digits a number is exactly so many units when dividing them gives it back.
 */
function unitsOfNumber(value: number, decimals: number): number | null {
  const tens = TENS[decimals] ?? NaN
  const units = Math.round(value * tens)
  return Math.abs(units) < SAFE_UNITS && units / tens === value && isWrittenPlain(value) ? units + 0 : null
}

const isWrittenPlain = (value: number): boolean => value === 0 || Math.abs(value) >= MIN_NUMBER

/**
 * JavaScript writes small numbers with an exponent or with more digits than are parsed: 1e-7, 0.0012345678901234567.
 */
function roundableText(value: number): string {
  const text = String(value)
  return text.includes('e') || fractionDigits(text) > FRACTION_DIGITS ? value.toFixed(FRACTION_DIGITS) : text
}

function decimalOf({ sign, whole, fraction }: Digits): Decimal {
  const head = whole.replace(/^0+(?=\d)/, '')
  const plain = fraction === '' ? head : `${head}.${fraction}`
  const text = plain === '0' ? plain : sign + plain
  const value = Number(text)
  return (significantDigits(text) <= SAFE_DIGITS && String(value) === text ? value : text) as Decimal
}

const significantDigits = (text: string): number => text.replace(/^[-0.]+|\./g, '').length

const isDigit = (code: number): boolean => /\p{Nd}/u.test(String.fromCodePoint(code))

/** The value of a decimal digit of any script: Unicode has those of a script in a row, from zero to nine. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let first = code
  while (isDigit(first - 1)) first -= 1
  return (code - first) % 10
}

/** The text with every decimal digit of Unicode in its Latin form. */
export const latinDigits = (text: string): string =>
  text.replace(/(?![0-9])\p{Nd}/gu, (digit) => String(digitValue(digit)))
