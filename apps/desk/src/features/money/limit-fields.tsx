import type { Money } from '@fairlot/core'
import { TextField } from '@fairlot/ui/field.tsx'
import { useState } from 'react'
import { amountField, readAmount } from './payment-text.ts'

/** A limit as it is typed: empty for none. */
export function useLimit(limit: Money | null) {
  const [text, setText] = useState(amountField(limit))
  const value = text.trim() === '' ? null : readAmount(text)
  return { text, setText, value, isWrong: text.trim() !== '' && value === null }
}

type LimitFieldProps = { label: string; limit: ReturnType<typeof useLimit> }

export const LimitField = ({ label, limit: { text, setText } }: LimitFieldProps) => (
  <TextField
    label={label}
    dir="ltr"
    inputMode="decimal"
    value={text}
    onChange={setText}
    hint="Empty for none."
  />
)
