import { Badge } from '@fairlot/ui/feedback/badge.tsx'
import { BrandMark } from '@fairlot/ui/graphics/brand-mark.tsx'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { PasswordField } from '@fairlot/ui/forms/password-field.tsx'
import type { Form, Problems } from '@fairlot/ui/forms/use-form.ts'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { reasonOf, errorText } from '../../live/request.ts'

type AuthPageProps = { title: string; text?: ReactNode; children: ReactNode }

/** The layout of the pages before the desk: log-in, invitation, second factor. */
export const AuthPage = ({ title, text, children }: AuthPageProps) => (
  <main className="flex min-h-dvh flex-col items-center justify-center p-4">
    <div className="flex w-full max-w-96 flex-col gap-5 rounded-sheet bg-surface p-6">
      <div className="flex items-center gap-2.5">
        <BrandMark size={22} />
        <span className="text-title font-bold">Fairlot</span>
        <Badge tone="brass">desk</Badge>
      </div>
      <div className="flex flex-col gap-1">
        <h1 className="text-figure font-bold">{title}</h1>
        {text && <p className="text-note text-second">{text}</p>}
      </div>
      {children}
    </div>
  </main>
)

type SubmitOptions<Values> = {
  form: Form<Values>
  /** Checks the form before it is sent. */
  check?: () => Problems<Values>
  send: () => Promise<unknown>
  /** The field that a rejection is about; without one it is shown above the button. */
  fieldOf?: (reason: string) => keyof Values | undefined
  /** Called first with the reason code; returns true if it has handled it. */
  onRejected?: (reason: string) => boolean
}

/** Submits a form and shows a rejection at its field. `onSubmit` is for a form element, `submit` for a dialog. */
export function useSubmit<Values extends object>({
  form,
  check,
  send,
  fieldOf,
  onRejected,
}: SubmitOptions<Values>) {
  const [isBusy, setIsBusy] = useState(false)
  const showRejection = (error: unknown) => {
    const reason = reasonOf(error) ?? ''
    if (onRejected?.(reason)) return
    const text = errorText(error) ?? undefined
    const field = fieldOf?.(reason)
    form.reject(field ? ({ [field]: text } as Problems<Values>) : {}, field ? null : (text ?? null))
  }
  const submit = () => {
    const problems = check?.() ?? {}
    if (Object.keys(problems).length > 0) return form.reject(problems)
    setIsBusy(true)
    void send()
      .catch(showRejection)
      .finally(() => setIsBusy(false))
  }
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    submit()
  }
  return { submit, onSubmit, isBusy }
}

/** The problem of an empty code field. */
export const missingCode = (code: string): { code?: string } =>
  code.trim() === '' ? { code: 'Enter the authentication code.' } : {}

type FieldProps = {
  value: string
  onChange: (text: string) => void
  problem?: string | null | undefined
  hint?: ReactNode
  autoFocus?: boolean
}

/** A code of the authenticator app; `hint` says when a recovery code works too. */
export const CodeField = (props: FieldProps) => (
  <TextField
    label="Code"
    autoComplete="one-time-code"
    autoCapitalize="none"
    spellCheck={false}
    dir="ltr"
    {...props}
  />
)

/** The second key of an invitation; case and hyphens do not matter. */
export const ConfirmationField = (props: FieldProps) => (
  <TextField
    label="Confirmation key"
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    dir="ltr"
    {...props}
  />
)

/** The operator's current password. */
export const OwnPasswordField = ({ label = 'Password', ...props }: FieldProps & { label?: string }) => (
  <PasswordField
    label={label}
    autoComplete="current-password"
    showLabel="Show the password"
    hideLabel="Hide the password"
    {...props}
  />
)

/** A new password. */
export const NewPasswordField = (props: FieldProps) => (
  <PasswordField
    label="New password"
    autoComplete="new-password"
    showLabel="Show the password"
    hideLabel="Hide the password"
    {...props}
  />
)
