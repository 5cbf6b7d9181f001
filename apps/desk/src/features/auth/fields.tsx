import { TextField } from '@fairlot/ui/field.tsx'
import { PasswordField } from '@fairlot/ui/password-field.tsx'
import type { ReactNode } from 'react'

type Line = {
  value: string
  onChange: (text: string) => void
  problem?: string | null | undefined
  hint?: ReactNode
  autoFocus?: boolean
}

/** A code of the authenticator app, or where `hint` says so a recovery code. */
export const CodeField = (props: Line) => (
  <TextField
    label="Code"
    autoComplete="one-time-code"
    autoCapitalize="none"
    spellCheck={false}
    dir="ltr"
    {...props}
  />
)

/** The password of somebody who has one. */
export const OwnPasswordField = ({ label = 'Password', ...props }: Line & { label?: string }) => (
  <PasswordField
    label={label}
    autoComplete="current-password"
    showLabel="Show the password"
    hideLabel="Hide the password"
    {...props}
  />
)

/** A password that is being chosen. */
export const NewPasswordField = (props: Line) => (
  <PasswordField
    label="New password"
    autoComplete="new-password"
    showLabel="Show the password"
    hideLabel="Hide the password"
    {...props}
  />
)
