import type { ReactNode } from 'react'
import { plainText } from '../figures/names.tsx'
import { controlClass, Field } from './field.tsx'

type SelectFieldProps<Value extends string> = {
  label: string
  value: Value
  options: readonly { readonly value: Value; readonly label: string }[]
  hint?: ReactNode
  problem?: string | null | undefined
  disabled?: boolean
  onChange: (value: Value) => void
}

/** A select field with the platform's own list. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, hint, problem, value, options, disabled, onChange } = props
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(ids) => (
        <select
          {...ids}
          value={value}
          disabled={disabled}
          className={controlClass}
          onChange={(event) => onChange(event.target.value as Value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} {...plainText(option.label)} />
          ))}
        </select>
      )}
    </Field>
  )
}
