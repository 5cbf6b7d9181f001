import type { Instrument } from '../terms/instrument.ts'
import { invert, multiply, ONE, type Fraction } from './number.ts'
import { exactMid, type Quote } from '../market/quote.ts'

/** One step of a currency conversion: the mid of a pair, or its inverse. */
export type ConversionLeg = { readonly instrument: Instrument; readonly isInverse: boolean }

/** A rate and the quotes it was taken from, so that a receipt can name them. */
export type Conversion = { readonly rate: Fraction; readonly quotes: readonly Quote[] }

const NO_CONVERSION: Conversion = { rate: ONE, quotes: [] }

/** The bridge for currencies without a pair of their own. */
const BRIDGE = 'USD'

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
 * The pairs that lead from one currency to another: none when they are equal, one pair or its inverse, or two through
 * USD (trading-rules §3). Null when there is no way.
 */
export function conversionPath(
  instruments: readonly Instrument[],
  from: string,
  to: string,
): readonly ConversionLeg[] | null {
  if (from === to) return []
  const direct = directLeg(instruments, from, to)
  if (direct) return [direct]
  const there = directLeg(instruments, from, BRIDGE)
  const back = directLeg(instruments, BRIDGE, to)
  return there && back ? [there, back] : null
}

/**
 * The pairs that lead from an instrument's money to the account currency; none in fixed margin mode, whose money is in it. Null when
 * there is no way.
 */
export const pathToAccount = (
  instruments: readonly Instrument[],
  { marginMode, quoteCurrency }: Pick<Instrument, 'marginMode' | 'quoteCurrency'>,
  accountCurrency: string,
): readonly ConversionLeg[] | null =>
  marginMode === 'fixed' ? [] : conversionPath(instruments, quoteCurrency, accountCurrency)

/** The rate along a path, exact and unrounded. Null while a pair on it has no price yet, or none above zero. */
export function convert(
  path: readonly ConversionLeg[],
  quoteOf: (instrumentId: number) => Quote | undefined,
): Conversion | null {
  if (path.length === 0) return NO_CONVERSION
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
