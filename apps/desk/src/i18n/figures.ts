import { decimalText, formatDecimal, fromUnits } from '@fairlot/core/decimal'
import { rescale } from '@fairlot/core/rounding'
import { MONEY_DECIMALS, RATIO_DECIMALS } from '@fairlot/core/number'

const MINUS = '−'
const SHOWN_DECIMALS = 2

/** A plain decimal with its digits in groups of three and a typographic minus. */
function groupDigits(plain: string): string {
  const [integer = '', fraction] = plain.replace('-', '').split('.')
  const sign = plain.startsWith('-') ? MINUS : ''
  return `${sign}${integer.replace(/\B(?=(\d{3})+$)/g, ',')}${fraction === undefined ? '' : `.${fraction}`}`
}

/** An amount in units of 1e-6, with two decimals, rounded half away from zero: `−1,204,300.00`. */
export const money = (units: bigint): string =>
  groupDigits(formatDecimal(rescale(units, MONEY_DECIMALS, SHOWN_DECIMALS), SHOWN_DECIMALS))

/** An amount with all its digits, at least two decimals: `12.345678`. */
export const exactMoney = (units: bigint): string =>
  groupDigits(formatDecimal(units, MONEY_DECIMALS).replace(/(\.\d\d\d*?)0+$/, '$1'))

/** The sign of an amount as `money` shows it: zero for amounts that round to 0.00. */
function shownSign(units: bigint): -1 | 0 | 1 {
  const shown = rescale(units, MONEY_DECIMALS, SHOWN_DECIMALS)
  return shown > 0n ? 1 : shown < 0n ? -1 : 0
}

/** The tone of a gain or a loss; undefined for an amount that is shown as zero. */
export const gainTone = (units: bigint): 'up' | 'down' | undefined =>
  ({ '1': 'up', '0': undefined, '-1': 'down' } as const)[shownSign(units)]

/** An amount with its sign: `+25.00`, `−0.50`, and `0.00` without one. */
export const signedMoney = (units: bigint): string =>
  shownSign(units) > 0 ? `+${money(units)}` : money(units)

/** Any plain decimal of the API, such as a price: `1.17382` stays as it is, `-12345.6` becomes `−12,345.6`. */
export const decimal = (value: number | string | bigint): string => groupDigits(String(value))

/** A share in units of 1e-6 as a percentage with all its digits: 125,000 as `12.5 %`. */
export const sharePercent = (share: number): string =>
  `${decimal(decimalText(fromUnits(share, RATIO_DECIMALS - 2)))} %`

/** A count with its unit, whose plural ends in s: `1 account`, `2 accounts`. */
export const countText = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`

const MILLIONTHS = 1e6

/** An amount as a number for plotting, where the precision of a double is enough. */
export const plotUnits = (units: bigint): number => Number(units) / MILLIONTHS

const COMPACT = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 })

/** An amount on the axis of a chart: `−1.2M`. */
export const compactMoney = (value: number): string => COMPACT.format(value).replace('-', '−')
