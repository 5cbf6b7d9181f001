import type { ComponentProps } from 'react'
import { TextField } from './field.tsx'
import { useTypedNumber } from './use-typed-number.ts'

type NumberFieldProps = Omit<ComponentProps<typeof TextField>, 'value' | 'type' | 'dir'> & {
  /** A plain decimal ("0.10"), or what was typed in place of one; the caller validates it. */
  value: string
}

/** A labelled field for a number, typed in the digits and separators of the user's language. */
export function NumberField({ value, onChange, problem, placeholder, ...rest }: NumberFieldProps) {
  const { text, question, answers, type, settle, written } = useTypedNumber(value, onChange)
  return (
    <TextField
      inputMode="decimal"
      autoComplete="off"
      {...rest}
      {...(placeholder !== undefined && { placeholder: written(placeholder) })}
      dir="ltr"
      value={text}
      problem={question ?? problem}
      answers={answers}
      onChange={type}
      onBlur={settle}
    />
  )
}
