import { formatDecimal, rescale } from '@fairlot/core/decimal'
import { MONEY_DECIMALS } from '@fairlot/core/number'

const MINUS = '−'
const SHOWN_DECIMALS = 2

/** Groups of three before the point, and a minus that is one. */
function grouped(plain: string): string {
  const [whole = '', fraction] = plain.replace('-', '').split('.')
  const sign = plain.startsWith('-') ? MINUS : ''
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${fraction === undefined ? '' : `.${fraction}`}`
}

/** An amount of 1e-6 in two decimals, rounded half away from zero: `−1,204,300.00`. */
export const money = (units: bigint): string =>
  grouped(formatDecimal(rescale(units, MONEY_DECIMALS, SHOWN_DECIMALS), SHOWN_DECIMALS))

/** An amount to its last digit, in two decimals at least: `12.345678`. */
export const exactMoney = (units: bigint): string =>
  grouped(formatDecimal(units, MONEY_DECIMALS).replace(/(\.\d\d\d*?)0+$/, '$1'))

/** An amount with its sign: `+25.00`, `−0.50`. */
export const signedMoney = (units: bigint): string => (units > 0n ? `+${money(units)}` : money(units))

/** Any plain decimal of the wire, such as a price: `1.17382` stays as it is, `-12345.6` is `−12,345.6`. */
export const decimal = (value: number | string | bigint): string => grouped(String(value))
