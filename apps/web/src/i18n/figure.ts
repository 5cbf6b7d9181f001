import type { FigureParts } from '../ui/big-figure.tsx'

/** A true minus; a hyphen would be narrower than a digit and break at line ends. */
const MINUS = '\u2212'
const NARROW_SPACE = '\u202f'

export type FigureOptions = {
  /** Decimals shown; fewer than the figure has are rounded half away from zero, more are filled up. */
  shown?: number
  /** `always` puts a plus before what is above zero. */
  sign?: 'negative' | 'always'
}

/** Latin digits and the Gregorian calendar in every language. */
export const numberTag = (tag: string): string => `${tag}-u-ca-gregory-nu-latn`

export type FigureFormat = {
  /** An exact figure of 10^-decimals: (123450000n, 6) is "123.450000". */
  figure: (units: bigint | number, decimals: number, options?: FigureOptions) => string
  /** The same, cut into the still part, the two digits that move and a raised last one. */
  parts: (ticks: number, decimals: number) => FigureParts
  /** "+0.21 %". */
  percent: (units: bigint | number, decimals: number, options?: FigureOptions) => string
  /** A whole number. */
  count: (value: number) => string
}

function rescale(units: bigint, from: number, to: number): bigint {
  if (to >= from) return units * 10n ** BigInt(to - from)
  const divisor = 10n ** BigInt(from - to)
  const half = divisor / 2n
  return units < 0n ? -((-units + half) / divisor) : (units + half) / divisor
}

/** Figures as a language writes them: its own separators, Latin digits, a true minus. */
export function figureFormat(tag: string): FigureFormat {
  const whole = new Intl.NumberFormat(numberTag(tag), { maximumFractionDigits: 0 })
  const point =
    new Intl.NumberFormat(numberTag(tag)).formatToParts(1.5).find((part) => part.type === 'decimal')?.value ??
    '.'

  const figure: FigureFormat['figure'] = (units, decimals, options = {}) => {
    const shown = options.shown ?? decimals
    const value = rescale(BigInt(units), decimals, shown)
    const digits = String(value < 0n ? -value : value).padStart(shown + 1, '0')
    const text = whole.format(BigInt(digits.slice(0, digits.length - shown)))
    const sign = value < 0n ? MINUS : value > 0n && options.sign === 'always' ? '+' : ''
    return `${sign}${text}${shown === 0 ? '' : `${point}${digits.slice(-shown)}`}`
  }

  return {
    figure,
    parts: (ticks, decimals) => cut(figure(ticks, decimals), decimals),
    percent: (units, decimals, options) => `${figure(units, decimals, options)}${NARROW_SPACE}%`,
    count: (value) => whole.format(value),
  }
}

/**
 * With three or five decimals the last is a tenth of a pip and stands raised; the two before it move. With two or
 * four, the last two move. Otherwise nothing is marked.
 */
function cut(text: string, decimals: number): FigureParts {
  const raisedLength = decimals === 3 || decimals === 5 ? 1 : 0
  const boldLength = decimals >= 2 ? 2 : 0
  const raisedAt = text.length - raisedLength
  const boldAt = raisedAt - boldLength
  if (boldLength === 0) return { lead: '', bold: text, raised: '' }
  return { lead: text.slice(0, boldAt), bold: text.slice(boldAt, raisedAt), raised: text.slice(raisedAt) }
}
