/** Rounding of exact numbers: half away from zero, unless the name says otherwise. */
import { money, MONEY_DECIMALS, powerOfTen, RATE_DECIMALS, SENT_DECIMALS, type Money } from './number.ts'

/** `numerator / denominator`, rounded to an integer, half away from zero. The denominator must be positive. */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) throw new RangeError('divideRounded needs a positive denominator')
  const half = denominator / 2n
  // An odd denominator has no exact half, so adding its floor never rounds a value below one half up.
  return numerator >= 0n ? (numerator + half) / denominator : -((-numerator + half) / denominator)
}

/** Units of 10^-from in units of 10^-to, rounded half away from zero. */
export const rescale = (units: bigint, from: number, to: number): bigint =>
  to >= from ? units * powerOfTen(to - from) : divideRounded(units, powerOfTen(from - to))

/** The same, rounded down, also below zero. */
export function rescaleDown(units: bigint, from: number, to: number): bigint {
  if (to >= from) return rescale(units, from, to)
  const divisor = powerOfTen(from - to)
  const whole = units / divisor
  return units % divisor < 0n ? whole - 1n : whole
}

/** The same, rounded up, also below zero. */
export const rescaleUp = (units: bigint, from: number, to: number): bigint => -rescaleDown(-units, from, to)

/**
 * Converts an amount in another currency (1e-8) to the account currency at a rate (1e-10): rounded once, half away
 * from zero.
 */
export const amountAtRate = (sent: bigint, rate: bigint): Money =>
  money(divideRounded(sent * rate, powerOfTen(SENT_DECIMALS + RATE_DECIMALS - MONEY_DECIMALS)))
