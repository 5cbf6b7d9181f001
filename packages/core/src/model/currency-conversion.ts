import type { Instrument } from './instrument.ts'
import { invert, multiply, ONE, type Fraction } from './number.ts'
import { exactMid, type Quote } from './quote.ts'

/** One step of a currency conversion: the mid of a pair, or its inverse. */
export type ConversionLeg = { readonly instrument: Instrument; readonly isInverse: boolean }

/** A rate and the quotes it was taken from, so that a receipt can name them. */
export type Conversion = { readonly rate: Fraction; readonly quotes: readonly Quote[] }

/** Of a currency to itself. */
const IDENTITY_CONVERSION: Conversion = { rate: ONE, quotes: [] }

/** Through which two currencies without a pair of their own are converted. */
const VEHICLE_CURRENCY = 'USD'

function directLeg(instruments: Iterable<Instrument>, from: string, to: string): ConversionLeg | null {
  for (const instrument of instruments) {
    if (instrument.baseCurrency === from && instrument.quoteCurrency === to)
      return { instrument, isInverse: false }
    if (instrument.baseCurrency === to && instrument.quoteCurrency === from)
      return { instrument, isInverse: true }
  }
  return null
}

/**
 * The pairs that convert one currency to another: none when they are equal, one pair or its inverse, or two through
 * USD (trading-rules §3). Null when there is no path.
 */
export function conversionPath(
  instruments: readonly Instrument[],
  from: string,
  to: string,
): readonly ConversionLeg[] | null {
  if (from === to) return []
  const direct = directLeg(instruments, from, to)
  if (direct) return [direct]
  const toUsd = directLeg(instruments, from, VEHICLE_CURRENCY)
  const fromUsd = directLeg(instruments, VEHICLE_CURRENCY, to)
  return toUsd && fromUsd ? [toUsd, fromUsd] : null
}

/**
 * The pairs that convert an instrument's currency to the account currency; none in fixed margin mode. Null when there
 * is no path.
 */
export const pathToAccount = (
  instruments: readonly Instrument[],
  { marginMode, quoteCurrency }: Pick<Instrument, 'marginMode' | 'quoteCurrency'>,
  accountCurrency: string,
): readonly ConversionLeg[] | null =>
  marginMode === 'fixed' ? [] : conversionPath(instruments, quoteCurrency, accountCurrency)

/** The exact rate along a path. Null while any leg has no positive mid. */
export function convert(
  path: readonly ConversionLeg[],
  quoteOf: (instrumentId: number) => Quote | undefined,
): Conversion | null {
  if (path.length === 0) return IDENTITY_CONVERSION
  let rate = ONE
  const quotes: Quote[] = []
  for (const { instrument, isInverse } of path) {
    const quote = quoteOf(instrument.id)
    if (!quote) return null
    const mid = exactMid(instrument, quote)
    if (mid.numerator <= 0n) return null
    rate = multiply(rate, isInverse ? invert(mid) : mid)
    quotes.push(quote)
  }
  return { rate, quotes }
}
