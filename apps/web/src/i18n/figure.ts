import type { FigureParts } from '../ui/big-figure.tsx'
import type { FineParts } from '../ui/fine-figure.tsx'

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
  /** A balance or another amount of the account currency in units of 1e-6: two decimals. */
  money: (units: bigint, options?: FigureOptions) => string
  /** A profit or a margin: six decimals, the last four to be set smaller. */
  fine: (units: bigint, options?: FigureOptions) => FineParts
  /** A plain decimal as the contract hands it over: "1.08472". */
  decimal: (text: string, options?: FigureOptions) => string
  /** A price cut into the still part, the two digits that move and a raised last one. */
  parts: (price: string, decimals: number) => FigureParts
  /** A plain decimal in percent: "+0.21 %", two decimals unless told. */
  percent: (text: string, options?: FigureOptions) => string
  /** A whole number. */
  count: (value: number) => string
}

const MONEY_DECIMALS = 6
const COARSE_DECIMALS = 2

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

  const decimal: FigureFormat['decimal'] = (text, options) => {
    const decimals = text.split('.')[1]?.length ?? 0
    return figure(BigInt(text.replace('.', '')), decimals, options)
  }

  return {
    figure,
    decimal,
    money: (units, options) => figure(units, MONEY_DECIMALS, { shown: COARSE_DECIMALS, ...options }),
    fine: (units, options) => {
      const text = figure(units, MONEY_DECIMALS, options)
      const cutAt = text.length - (MONEY_DECIMALS - COARSE_DECIMALS)
      return { main: text.slice(0, cutAt), rest: text.slice(cutAt) }
    },
    parts: (price, decimals) => cut(decimal(price, { shown: decimals }), decimals),
    percent: (text, options) => `${decimal(text, { shown: COARSE_DECIMALS, ...options })}${NARROW_SPACE}%`,
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

/** Which way a written figure points, read from its sign, so that arrow and digits never disagree. */
export const directionOfFigure = (text: string): 'up' | 'down' | 'flat' =>
  text.startsWith('+') ? 'up' : text.startsWith(MINUS) ? 'down' : 'flat'
