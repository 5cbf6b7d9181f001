import { fromUnits, toUnits, type Decimal } from './decimal.ts'
import { absolute, powerOfTen, type Fraction } from './number.ts'
import { divideRounded } from './rounding.ts'

/** More decimals than any price has. */
const PRICE_DECIMALS = 10
const CHANGE_DECIMALS = 4
const PART_DECIMALS = 2

/**
 * The change from one price to another in percent of the first, four decimals, half away from zero; null from zero.
 */
export function percentChange(from: Decimal, to: Decimal): Decimal | null {
  const start = toUnits(from, PRICE_DECIMALS)
  const end = toUnits(to, PRICE_DECIMALS)
  if (start === null || end === null || start === 0n) return null
  return percent({ numerator: end - start, denominator: absolute(start) }, CHANGE_DECIMALS)
}

/** A percentage of an exact fraction (1 is 100 %), two decimals, half away from zero. */
export const percentOf = (fraction: Fraction): Decimal => percent(fraction, PART_DECIMALS)

const percent = ({ numerator, denominator }: Fraction, decimals: number): Decimal =>
  fromUnits(divideRounded(numerator * powerOfTen(2 + decimals), denominator), decimals)
