import { useId } from 'react'
import type { ComponentProps, ReactNode } from 'react'
import { latinDigits } from '@fairlot/core/decimal'
import { classNames } from '../theme/class-names.ts'
import { withNames } from '../figures/names.tsx'

/** An answer to the question of a field. */
export type FieldAnswer = { readonly text: string; readonly choose: () => void }

type FieldProps = {
  label: string
  /** A helping sentence, shown while there is no problem. */
  hint?: ReactNode
  /** What is wrong and how to correct it. Marks the field as invalid. */
  problem?: string | null | undefined
  /** Answers to what the problem asks, one press each. */
  answers?: readonly FieldAnswer[] | null
  children: (ids: { id: string; 'aria-describedby': string; 'aria-invalid': boolean }) => ReactNode
}

/** A label, its control, and one line below: the problem if there is one, else the hint. */
export function Field({ label, hint, problem, answers, children }: FieldProps) {
  const id = useId()
  const noteId = `${id}-note`
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-tiny text-second">
        {withNames(label)}
      </label>
      {children({ id, 'aria-describedby': noteId, 'aria-invalid': Boolean(problem) })}
      <p
        id={noteId}
        role={problem ? 'alert' : undefined}
        className={classNames('text-note empty:hidden', problem ? 'text-danger' : 'text-second')}
      >
        {withNames(problem ?? hint)}
      </p>
      {answers && (
        <span className="flex flex-wrap gap-2">
          {answers.map(({ text, choose }) => (
            <button
              key={text}
              type="button"
              onClick={choose}
              className="min-h-11 rounded-button px-4 text-note font-bold ring-1 ring-line ring-inset"
            >
              <bdi dir="ltr" translate="no">
                {text}
              </bdi>
            </button>
          ))}
        </span>
      )}
    </div>
  )
}

/** The classes of a one-line control. */
export const controlClass =
  'min-h-11 w-full min-w-0 rounded-field bg-page px-3 text-body font-medium text-ink placeholder:font-normal placeholder:text-third aria-invalid:ring-1 aria-invalid:ring-danger disabled:opacity-45'

type TextFieldProps = Omit<FieldProps, 'children'> &
  Omit<ComponentProps<'input'>, 'onChange' | 'className' | 'id'> & { onChange: (text: string) => void }

/** A labelled one-line text field. With inputMode="numeric", for codes, digits become Latin; for figures see NumberField. */
export const TextField = ({ label, hint, problem, answers = null, onChange, ...rest }: TextFieldProps) => (
  <Field label={label} hint={hint} problem={problem} answers={answers}>
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
