const FIGURE = /([+−]?)([\d,]+)(?:\.(\d+))?/

/**
 * Parses a figure as the app writes it in English ("−1,234.50"), in units of 10^-decimals. Throws on more decimals or
 * without a figure.
 */
export function unitsIn(text: string, decimals: number): bigint {
  const [, sign, whole = '', fraction = ''] = FIGURE.exec(text) ?? []
  if (whole === '' || fraction.length > decimals)
    throw new Error(`no figure of ${decimals} decimals: "${text}"`)
  const units = BigInt(whole.replaceAll(',', '') + fraction.padEnd(decimals, '0'))
  return sign === '−' ? -units : units
}

/** Money in units of 1e-6. */
export const moneyIn = (text: string): bigint => unitsIn(text, 6)

/** The quotient rounded half away from zero, with integers only. */
export function divideHalfAway(dividend: bigint, divisor: bigint): bigint {
  const isNegative = dividend < 0n !== divisor < 0n
  const [top, bottom] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor]
  const quotient = (2n * top + bottom) / (2n * bottom)
  return isNegative ? -quotient : quotient
}

/** Formats units of 10^-decimals as the app does in English, with all decimals: "−1,234.50". */
export function figureOf(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0')
  const whole = digits.slice(0, -decimals).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${units < 0n ? '−' : ''}${whole}.${digits.slice(-decimals)}`
}

/** Formats money in units of 1e-6 to the cent, as balances are shown. */
export const inCents = (units: bigint): string => figureOf(divideHalfAway(units, 10_000n), 2)
