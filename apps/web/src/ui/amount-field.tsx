import type { ReactNode } from 'react'
import { MONEY_DECIMALS, money, parseDecimal, type Money } from '@fairlot/core'
import { NumberField } from '@fairlot/ui/forms/number-field.tsx'

type AmountFieldProps = {
  label: string
  value: string
  hint?: ReactNode
  problem: string | undefined
  onChange: (text: string) => void
}

/** An amount, entered with a numeric keyboard. */
export const AmountField = (props: AmountFieldProps) => <NumberField {...props} placeholder="0.00" />

/** Parses the amount of a field; null unless it is a number above zero. */
export function readAmount(text: string): Money | null {
  const units = readUnits(text, MONEY_DECIMALS)
  return units === null ? null : money(units)
}

/** Parses the number of a field, in units of 10^-decimals; null unless it is above zero. */
export function readUnits(text: string, decimals: number): bigint | null {
  const units = parseDecimal(text, decimals)
  return units === null || units <= 0n ? null : units
}
