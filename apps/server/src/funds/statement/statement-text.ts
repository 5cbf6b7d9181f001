import { formatDecimal, MONEY_DECIMALS } from '@fairlot/core'

/** A figure cut where the digits begin that are set smaller. */
export type FigureText = { readonly main: string; readonly rest: string }

/** Figures and moments as a language writes them. */
export type StatementText = {
  /** An amount to its last digit. */
  money(units: bigint): FigureText
  /** The same with a plus before what came in; nothing for none. */
  change(units: bigint): FigureText
  /** A number of 10^-decimals. */
  decimal(units: bigint | number, decimals: number): string
  /** A moment of UTC, epoch ms, to the minute. */
  moment(at: number): string
  /** A day of UTC. */
  day(at: number): string
}

/** A true minus, as wide as a digit. */
const MINUS = '\u2212'
/** Digits after the point that every reader looks at. */
const COARSE_DECIMALS = 2
/** Marks of direction that some languages put into dates, which read from left to right here in all of them. */
const MARKS = /[\u200e\u200f\u061c]/g
const inOnePiece = (text: string): string =>
  `\u2066${text.replace(MARKS, '').replace(/\s+/g, '\u00a0')}\u2069`

/** Latin digits and the Gregorian calendar in every language, as on the screens. */
export function statementText(tag: string): StatementText {
  const locale = `${tag}-u-ca-gregory-nu-latn`
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
  const point =
    new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'
  const utc = { timeZone: 'UTC', hourCycle: 'h23' } as const
  const moment = new Intl.DateTimeFormat(locale, { ...utc, dateStyle: 'medium', timeStyle: 'short' })
  const day = new Intl.DateTimeFormat(locale, { ...utc, dateStyle: 'medium' })

  const decimal: StatementText['decimal'] = (units, decimals) => {
    const value = BigInt(units)
    const [digits = '', fraction] = formatDecimal(value < 0n ? -value : value, decimals).split('.')
    return `${value < 0n ? MINUS : ''}${whole.format(BigInt(digits))}${fraction === undefined ? '' : point + fraction}`
  }
  const figure = (text: string): FigureText => {
    const cutAt = text.length - (MONEY_DECIMALS - COARSE_DECIMALS)
    return { main: text.slice(0, cutAt), rest: text.slice(cutAt) }
  }
  return {
    decimal,
    money: (units) => figure(decimal(units, MONEY_DECIMALS)),
    change: (units) =>
      units === 0n
        ? { main: '', rest: '' }
        : figure((units > 0n ? '+' : '') + decimal(units, MONEY_DECIMALS)),
    moment: (at) => inOnePiece(moment.format(at)),
    day: (at) => inOnePiece(day.format(at)),
  }
}
