import { formatDecimal, fractionDigits, rescale, toUnits, type Decimal } from '@fairlot/core/decimal'
import { MONEY_DECIMALS } from '@fairlot/core/number'
import type { FigureParts } from '@fairlot/ui/big-figure.tsx'
import type { FineParts } from '@fairlot/ui/fine-figure.tsx'

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
  /** An amount that is nobody's, such as what every demo begins with: never hidden. */
  publicMoney: (units: bigint) => string
  /** An amount of the account paid in another currency, such as a coin: hidden as the others are. */
  paidOut: (value: Decimal, options?: FigureOptions) => string
  /** A profit or a margin: six decimals, the last four to be set smaller. */
  fine: (units: bigint, options?: FigureOptions) => FineParts
  /** The same inside a sentence, where all digits have one size. */
  fineText: (units: bigint, options?: FigureOptions) => string
  /** A decimal as the contract hands it over, or plain text: "1.08472". */
  decimal: (value: Decimal | string, options?: FigureOptions) => string
  /** A price cut into the still part, the two digits that move and a raised last one. */
  parts: (price: Decimal | string, decimals: number) => FigureParts
  /** A decimal in percent: "+0.21 %", two decimals unless told. */
  percent: (value: Decimal | string, options?: FigureOptions) => string
  /** A whole number. */
  count: (value: number) => string
}

const COARSE_DECIMALS = 2

/** Stands for every amount while the reader hides them. */
const HIDDEN = '••••••'

/**
 * Figures as a language writes them: its own separators, Latin digits, a true minus. `isMoneyHidden` hides every amount of the
 * account currency from those who look on; prices, sizes and levels stay.
 */
export function figureFormat(tag: string, isMoneyHidden = false): FigureFormat {
  const whole = new Intl.NumberFormat(numberTag(tag), { maximumFractionDigits: 0 })
  const point =
    new Intl.NumberFormat(numberTag(tag)).formatToParts(1.5).find((part) => part.type === 'decimal')?.value ??
    '.'

  const figure: FigureFormat['figure'] = (units, decimals, options = {}) => {
    const shown = options.shown ?? decimals
    const value = rescale(BigInt(units), decimals, shown)
    const [digits = '', fraction] = formatDecimal(value < 0n ? -value : value, shown).split('.')
    const sign = value < 0n ? MINUS : value > 0n && options.sign === 'always' ? '+' : ''
    return `${sign}${whole.format(BigInt(digits))}${fraction === undefined ? '' : `${point}${fraction}`}`
  }

  const decimal: FigureFormat['decimal'] = (value, options) => {
    const decimals = fractionDigits(String(value))
    return figure(toUnits(value, decimals) ?? 0n, decimals, options)
  }

  const publicMoney = (units: bigint, options?: FigureOptions): string =>
    figure(units, MONEY_DECIMALS, { shown: COARSE_DECIMALS, ...options })

  return {
    figure,
    publicMoney,
    decimal,
    money: (units, options) => (isMoneyHidden ? HIDDEN : publicMoney(units, options)),
    paidOut: (value, options) => (isMoneyHidden ? HIDDEN : decimal(value, options)),
    fineText: (units, options) => (isMoneyHidden ? HIDDEN : figure(units, MONEY_DECIMALS, options)),
    fine: (units, options) => {
      if (isMoneyHidden) return { main: HIDDEN, rest: '' }
      const text = figure(units, MONEY_DECIMALS, options)
      const cutAt = text.length - (MONEY_DECIMALS - COARSE_DECIMALS)
      return { main: text.slice(0, cutAt), rest: text.slice(cutAt) }
    },
    parts: (price, decimals) => cut(decimal(price, { shown: decimals }), decimals),
    percent: (value, options) => `${decimal(value, { shown: COARSE_DECIMALS, ...options })}${NARROW_SPACE}%`,
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
