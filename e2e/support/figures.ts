const FIGURE = /([+−]?)([\d,]+)(?:\.(\d+))?/

/**
 * A figure as the app writes it in English ("−1,234.50", "100,000.000001"), in units of 10^-decimals. More decimals than
 * that, or no figure in the text, is an error.
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

/** The quotient rounded half away from zero, by nothing but whole numbers. */
export function divideHalfAway(dividend: bigint, divisor: bigint): bigint {
  const isNegative = dividend < 0n !== divisor < 0n
  const [top, bottom] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor]
  const quotient = (2n * top + bottom) / (2n * bottom)
  return isNegative ? -quotient : quotient
}

/** Units of 10^-decimals as the app writes them in English, with all their decimals: "−1,234.50". */
export function figureOf(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0')
  const whole = digits.slice(0, -decimals).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${units < 0n ? '−' : ''}${whole}.${digits.slice(-decimals)}`
}

/** Money of 1e-6 as balances are shown: to the cent. */
export const inCents = (units: bigint): string => figureOf(divideHalfAway(units, 10_000n), 2)
