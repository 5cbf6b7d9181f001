import { formatTag } from '@fairlot/contract'
import { formatDecimal, fractionDigits, toUnits, type Decimal } from '@fairlot/core/decimal'
import { rescale } from '@fairlot/core/rounding'
import { MONEY_DECIMALS } from '@fairlot/core/number'
import type { FigureParts } from '@fairlot/ui/figures/big-figure.tsx'
import type { ExactParts } from '@fairlot/ui/figures/exact-figure.tsx'

/** The minus sign; a hyphen is narrower than a digit and allows a line break. */
const MINUS = '\u2212'
const NARROW_SPACE = '\u202f'

type FigureOptions = {
  /** Decimals shown; a figure with more is rounded half away from zero, one with fewer is padded with zeros. */
  shown?: number
  /** `always` puts a plus before what is above zero. */
  sign?: 'negative' | 'always'
}

export type FigureFormat = {
  /** An exact figure of 10^-decimals: (123450000n, 6) is "123.450000". */
  figure: (units: bigint | number, decimals: number, options?: FigureOptions) => string
  /** A balance or another amount of the account currency in units of 1e-6: two decimals. */
  money: (units: bigint, options?: FigureOptions) => string
  /** An amount that is not the user's, such as the starting balance of a demo or a strategy's profit: never hidden. */
  publicMoney: (units: bigint, options?: FigureOptions) => string
  /** An amount of the account in another currency, such as a coin: hidden like the others. */
  paidOut: (value: Decimal | string, options?: FigureOptions) => string
  /** A fee or swap: two decimals, four below one unit, so that a small one does not read as zero. */
  cost: (units: bigint, options?: FigureOptions) => string
  /** The profit or margin of an order: six decimals, the last four to be shown smaller. */
  exact: (units: bigint, options?: FigureOptions) => ExactParts
  /** The same as plain text for a sentence. */
  exactText: (units: bigint, options?: FigureOptions) => string
  /** A decimal of the contract, or its text: "1.08472". */
  decimal: (value: Decimal | string, options?: FigureOptions) => string
  /** A price split into its leading part, the two digits that move most and a raised last one. */
  parts: (price: Decimal | string, decimals: number) => FigureParts
  /** A percentage: "+0.21 %", in Turkish "+%0,21"; two decimals by default. */
  percent: (value: Decimal | string, options?: FigureOptions) => string
  /** An integer. */
  count: (value: number) => string
}

const COARSE_DECIMALS = 2
const SMALL_DECIMALS = 4
const UNIT = 1_000_000n

/** Replaces every amount while the user hides them. */
const HIDDEN = '••••••'

/** The sign before the decimals in a language. */
export const decimalPoint = (tag: string): '.' | ',' =>
  new Intl.NumberFormat(formatTag(tag))
    .formatToParts(1.5)
    .some(({ type, value }) => type === 'decimal' && value === ',')
    ? ','
    : '.'

/**
 * Formats numbers for a language: its separators, Latin digits, a real minus sign. `isMoneyHidden` hides every amount of the
 * account; prices, sizes and levels stay visible.
 */
export function figureFormat(tag: string, isMoneyHidden = false): FigureFormat {
  const integer = new Intl.NumberFormat(formatTag(tag), { maximumFractionDigits: 0 })
  const point = decimalPoint(tag)

  const figure: FigureFormat['figure'] = (units, decimals, options = {}) => {
    const shown = options.shown ?? decimals
    const value = rescale(BigInt(units), decimals, shown)
    const [digits = '', fraction] = formatDecimal(value < 0n ? -value : value, shown).split('.')
    const sign = value < 0n ? MINUS : value > 0n && options.sign === 'always' ? '+' : ''
    return `${sign}${integer.format(BigInt(digits))}${fraction === undefined ? '' : `${point}${fraction}`}`
  }

  const decimal: FigureFormat['decimal'] = (value, options) => {
    const decimals = fractionDigits(String(value))
    return figure(toUnits(value, decimals) ?? 0n, decimals, options)
  }

  // Turkish writes it before the digits, behind the sign: "−%0,21".
  const isPercentFirst =
    new Intl.NumberFormat(formatTag(tag), { style: 'percent' }).formatToParts(1)[0]?.type === 'percentSign'
  const withPercentSign = (text: string): string =>
    isPercentFirst ? text.replace(/^[+−]?/, '$&%') : `${text}${NARROW_SPACE}%`

  const publicMoney: FigureFormat['publicMoney'] = (units, options) =>
    figure(units, MONEY_DECIMALS, { shown: COARSE_DECIMALS, ...options })

  return {
    figure,
    publicMoney,
    decimal,
    money: (units, options) => (isMoneyHidden ? HIDDEN : publicMoney(units, options)),
    paidOut: (value, options) => (isMoneyHidden ? HIDDEN : decimal(value, options)),
    cost: (units, options) => {
      const isSmall = units !== 0n && units < UNIT && units > -UNIT
      return isMoneyHidden
        ? HIDDEN
        : figure(units, MONEY_DECIMALS, { shown: isSmall ? SMALL_DECIMALS : COARSE_DECIMALS, ...options })
    },
    exactText: (units, options) => (isMoneyHidden ? HIDDEN : figure(units, MONEY_DECIMALS, options)),
    exact: (units, options) => {
      if (isMoneyHidden) return { main: HIDDEN, rest: '' }
      const text = figure(units, MONEY_DECIMALS, options)
      const cutAt = text.length - (MONEY_DECIMALS - COARSE_DECIMALS)
      return { main: text.slice(0, cutAt), rest: text.slice(cutAt) }
    },
    parts: (price, decimals) => splitPrice(decimal(price, { shown: decimals }), decimals),
    percent: (value, options) => withPercentSign(decimal(value, { shown: COARSE_DECIMALS, ...options })),
    count: (value) => integer.format(value),
  }
}

/**
 * With three or five decimals the last digit is a tenth of a pip and is raised, the two before it are bold. With two or four
 * decimals the last two are bold. Otherwise nothing is highlighted.
 */
function splitPrice(text: string, decimals: number): FigureParts {
  const raisedLength = decimals === 3 || decimals === 5 ? 1 : 0
  const boldLength = decimals >= 2 ? 2 : 0
  const raisedAt = text.length - raisedLength
  const boldAt = raisedAt - boldLength
  if (boldLength === 0) return { lead: '', bold: text, raised: '' }
  return { lead: text.slice(0, boldAt), bold: text.slice(boldAt, raisedAt), raised: text.slice(raisedAt) }
}

/** The direction of a formatted figure, read from its sign, so that arrow and digits never disagree. */
export const directionOfFigure = (text: string): 'up' | 'down' | 'flat' =>
  text.startsWith('+') ? 'up' : text.startsWith(MINUS) ? 'down' : 'flat'
