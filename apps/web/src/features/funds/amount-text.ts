import { MONEY_DECIMALS, money, parseDecimal, type Money } from '@fairlot/core'

/** Keyboards for figures of many countries have a comma and no point. Three digits after it may be thousands: nobody's guess. */
const COMMA = /^(\d+),(\d{1,2}|\d{4,})$/

/** What somebody has typed as an amount: null for what is none, or not above zero. */
export function readAmount(text: string): Money | null {
  const units = parseDecimal(text.trim().replace(COMMA, '$1.$2'), MONEY_DECIMALS)
  return units === null || units <= 0n ? null : money(units)
}
