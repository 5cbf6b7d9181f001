import type { ComponentProps, ReactNode } from 'react'
import { controlClass, Field } from './field.tsx'

type TextAreaFieldProps = Omit<ComponentProps<'textarea'>, 'onChange' | 'className' | 'id'> & {
  label: string
  hint?: ReactNode
  problem?: string | null | undefined
  onChange: (text: string) => void
}

/** A labelled text field of several lines. */
export const TextAreaField = ({ label, hint, problem, onChange, ...rest }: TextAreaFieldProps) => (
  <Field label={label} hint={hint} problem={problem}>
    {(ids) => (
      <textarea
        rows={3}
        {...rest}
        {...ids}
        className={`${controlClass} py-2`}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
)
