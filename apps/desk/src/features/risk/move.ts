import { MOVE_LEAST, MOVE_MOST } from '@fairlot/contract/desk'
import { type Decimal, readDecimal, toUnits } from '@fairlot/core/decimal'

/** What prices are asked to do. */
export type AskedMove = {
  readonly asked: {
    readonly percent: Decimal
    readonly instrumentId: number | null
    readonly category: string | null
  }
  /** Which prices, in words. */
  readonly scope: string
}

const DECIMALS = 2

/** A percentage that somebody has typed; null for what is no move. */
export function readPercent(text: string): Decimal | null {
  const value = readDecimal(text.replace('−', '-').replace(',', '.'), DECIMALS)
  const units = value === null ? null : toUnits(value, DECIMALS)
  if (value === null || units === null) return null
  return units >= BigInt(MOVE_LEAST * 100) && units <= BigInt(MOVE_MOST * 100) ? value : null
}

const FIRST_PERCENT = '-1'

/** What is shown before anybody has asked. */
export const NO_MOVE: AskedMove = {
  asked: { percent: readPercent(FIRST_PERCENT) ?? (0 as Decimal), instrumentId: null, category: null },
  scope: 'All instruments',
}

const signed = (percent: Decimal): string => {
  const text = String(percent)
  return text.startsWith('-') ? text.replace('-', '−') : `+${text}`
}

/** `All instruments −1 %` */
export const moveText = ({ asked, scope }: AskedMove): string => `${scope} ${signed(asked.percent)} %`
