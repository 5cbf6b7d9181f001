import { MONEY_DECIMALS, money, parseDecimal, type Money } from '@fairlot/core'

/** What somebody has typed as an amount: null for what is none, or not above zero. */
export function readAmount(text: string): Money | null {
  const units = parseDecimal(text.trim(), MONEY_DECIMALS)
  return units === null || units <= 0n ? null : money(units)
}
