import { useId } from 'react'
import type { ComponentProps, ReactNode } from 'react'
import { latinDigits } from './typed-number.ts'
import { classNames } from '../theme/class-names.ts'

type FieldProps = {
  label: string
  /** A helping sentence, shown while there is no problem. */
  hint?: ReactNode
  /** What is wrong and how to correct it. Marks the field as invalid. */
  problem?: string | null | undefined
  children: (ids: { id: string; 'aria-describedby': string; 'aria-invalid': boolean }) => ReactNode
}

/** A label, its control, and one line below: the problem if there is one, else the hint. */
export function Field({ label, hint, problem, children }: FieldProps) {
  const id = useId()
  const noteId = `${id}-note`
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-tiny text-second">
        {label}
      </label>
      {children({ id, 'aria-describedby': noteId, 'aria-invalid': Boolean(problem) })}
      <p
        id={noteId}
        role={problem ? 'alert' : undefined}
        className={classNames('text-note empty:hidden', problem ? 'text-danger' : 'text-second')}
      >
        {problem ?? hint}
      </p>
    </div>
  )
}

/** The classes of a one-line control. */
export const controlClass =
  'min-h-11 w-full min-w-0 rounded-field bg-page px-3 text-body font-medium text-ink placeholder:font-normal placeholder:text-third aria-invalid:ring-1 aria-invalid:ring-danger disabled:opacity-45'

type TextFieldProps = Omit<FieldProps, 'children'> &
  Omit<ComponentProps<'input'>, 'onChange' | 'className' | 'id'> & { onChange: (text: string) => void }

/** A labelled one-line text field. With inputMode="numeric", for codes, digits become Latin; for figures see NumberField. */
export const TextField = ({ label, hint, problem, onChange, ...rest }: TextFieldProps) => (
  <Field label={label} hint={hint} problem={problem}>
    {(ids) => (
      <input
        {...rest}
        {...ids}
        className={controlClass}
        onChange={({ target: { value } }) =>
          onChange(rest.inputMode === 'numeric' ? latinDigits(value) : value)
        }
      />
    )}
  </Field>
)
