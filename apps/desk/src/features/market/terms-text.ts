/** Terms as the lines of a form, and back. */
import type { InstrumentTerms, TradingTerms } from '@fairlot/contract/desk'
import { decimalText, fromUnits, parseDecimal, readDecimal, type Decimal } from '@fairlot/core/decimal'
import { LOTS_DECIMALS, MONEY_DECIMALS, RATIO_DECIMALS, money } from '@fairlot/core/number'

/** How a line of a form is read. */
export type Reading =
  | 'text'
  | 'optionalText'
  | 'whole'
  | 'optionalWhole'
  | 'price'
  | 'ratio'
  | 'lots'
  | 'money'
  | 'wholes'
  | 'texts'
  | 'flag'
  | 'hours'

type Terms = InstrumentTerms | TradingTerms
type Value = Terms[keyof Terms] | InstrumentTerms[keyof InstrumentTerms] | TradingTerms[keyof TradingTerms]

const HOUR_MS = 3_600_000

const unitsText = (units: bigint | number, decimals: number): string =>
  decimalText(fromUnits(units, decimals))

/** A value of terms as its line says it. */
export function lineOf(reading: Reading, value: Value): string {
  if (value === null || value === undefined) return ''
  switch (reading) {
    case 'price':
      return decimalText(value as Decimal)
    case 'ratio':
      return unitsText(value as number, RATIO_DECIMALS)
    case 'lots':
      return unitsText(value as number, LOTS_DECIMALS)
    case 'money':
      return unitsText(value as bigint, MONEY_DECIMALS)
    case 'wholes':
    case 'texts':
      return (value as readonly (number | string)[]).join(', ')
    case 'hours':
      return String((value as number) / HOUR_MS)
    case 'flag':
      return value === true ? 'yes' : 'no'
    default:
      return String(value as string | number)
  }
}

/** What a line says; undefined where it cannot be read. */
export function valueOf(reading: Reading, line: string): Value | undefined {
  const text = line.trim()
  if (text === '' && (reading === 'optionalText' || reading === 'optionalWhole')) return null
  switch (reading) {
    case 'text':
    case 'optionalText':
      return text
    case 'flag':
      return text === 'yes'
    case 'whole':
    case 'optionalWhole':
      return wholeOf(text)
    case 'wholes':
      return wholesOf(text)
    case 'texts':
      return partsOf(text)
    case 'price':
      return readDecimal(text, 10) ?? undefined
    case 'ratio':
      return unitsOf(text, RATIO_DECIMALS)
    case 'lots':
      return unitsOf(text, LOTS_DECIMALS)
    case 'hours': {
      const units = parseDecimal(text, 6)
      return units === null ? undefined : Math.round((Number(units) / 1e6) * HOUR_MS)
    }
    case 'money': {
      const units = parseDecimal(text, MONEY_DECIMALS)
      return units === null ? undefined : money(units)
    }
  }
}

const wholeOf = (text: string): number | undefined => (/^-?\d{1,15}$/.test(text) ? Number(text) : undefined)

const partsOf = (text: string): string[] => text.split(/[\s,;]+/).filter((part) => part !== '')

function wholesOf(text: string): number[] | undefined {
  const values = partsOf(text).map(wholeOf)
  return values.includes(undefined) ? undefined : (values as number[])
}

function unitsOf(text: string, decimals: number): Value | undefined {
  const units = parseDecimal(text, decimals)
  return units === null ? undefined : (Number(units) as InstrumentTerms['lotMin'])
}
