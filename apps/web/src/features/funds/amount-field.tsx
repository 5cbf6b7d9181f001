import { TextField } from '@fairlot/ui/field.tsx'
import type { ReactNode } from 'react'

type AmountFieldProps = {
  label: string
  value: string
  hint?: ReactNode
  problem: string | undefined
  onChange: (text: string) => void
}

/** An amount, typed with the keys for figures. */
export const AmountField = ({ value, ...rest }: AmountFieldProps) => (
  <TextField {...rest} value={value} inputMode="decimal" autoComplete="off" dir="ltr" placeholder="0.00" />
)
