import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import type { ComponentProps, ReactNode } from 'react'
import { controlClass, Field } from './field.tsx'
import { IconButton } from '../controls/icon-button.tsx'

type PasswordFieldProps = Omit<ComponentProps<'input'>, 'onChange' | 'className' | 'id' | 'type'> & {
  label: string
  hint?: ReactNode
  problem?: string | null | undefined
  /** The labels of the button beside it while the text is hidden, and while it is shown. */
  showLabel: string
  hideLabel: string
  onChange: (text: string) => void
}

/** A password field that can be shown. */
export function PasswordField(props: PasswordFieldProps) {
  const { label, hint, problem, showLabel, hideLabel, onChange, ...rest } = props
  const [isShown, setIsShown] = useState(false)
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(ids) => (
        <span className="relative flex items-center">
          <input
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            {...rest}
            {...ids}
            type={isShown ? 'text' : 'password'}
            className={`${controlClass} pe-12`}
            onChange={(event) => onChange(event.target.value)}
          />
          <span className="absolute end-0 text-second">
            <IconButton
              icon={isShown ? EyeOff : Eye}
              label={isShown ? hideLabel : showLabel}
              onClick={() => setIsShown(!isShown)}
            />
          </span>
        </span>
      )}
    </Field>
  )
}
