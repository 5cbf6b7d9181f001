import { Button } from '@fairlot/ui/controls/button.tsx'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/forms/form-frame.tsx'
import { useForm } from '@fairlot/ui/forms/use-form.ts'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { hasKeptInput } from '../../live/kept-input.ts'
import { join, logIn } from '../../live/session.ts'
import { type LogOutReason, useSession } from '../../live/token.ts'
import {
  AuthPage,
  CodeField,
  ConfirmationField,
  missingCode,
  NewPasswordField,
  OwnPasswordField,
  useSubmit,
} from './auth-page.tsx'
import { PasskeyLogin } from './passkeys.tsx'

const LOG_OUT_TEXTS = {
  idle: 'You were logged out because you were inactive.',
  expired: 'Your session has ended. Log in again.',
}
const KEPT = 'What you had entered is there again when you open the form after logging in.'

/** Why the operator must log in, and what becomes of a form that was open. */
const logOutText = (reason: LogOutReason): string =>
  hasKeptInput() ? `${LOG_OUT_TEXTS[reason]} ${KEPT}` : LOG_OUT_TEXTS[reason]

/** Name and password, then the code once the server requires it. */
export function LoginScreen() {
  const logOutReason = useSession((session) => session.logOutReason)
  const form = useForm(() => ({ name: '', password: '', code: '' }))
  const [needsCode, setNeedsCode] = useState(false)
  const { values, problems, set } = form
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: () => ({
      ...(values.name.trim() === '' && { name: 'Enter your name.' }),
      ...(values.password === '' && { password: 'Enter your password.' }),
      ...(needsCode && missingCode(values.code)),
    }),
    send: () => logIn(values.name.trim(), values.password, needsCode ? values.code.trim() : null),
    fieldOf: (reason) =>
      reason === 'secondFactorWrong' ? 'code' : reason === 'nameInvalid' ? 'name' : undefined,
    onRejected: (reason) => {
      if (reason !== 'secondFactorNeeded') return false
      setNeedsCode(true)
      return true
    },
  })
  return (
    <AuthPage title="Log in" text={logOutReason === null ? undefined : logOutText(logOutReason)}>
      <FormFrame form={form} onSubmit={onSubmit}>
        <TextField
          label="Name"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          value={values.name}
          problem={problems.name}
          onChange={(name) => set({ name })}
        />
        <OwnPasswordField
          value={values.password}
          problem={problems.password}
          onChange={(password) => set({ password })}
        />
        {needsCode && (
          <CodeField
            autoFocus
            value={values.code}
            problem={problems.code}
            hint="From your authenticator app, or one of your recovery codes."
            onChange={(code) => set({ code })}
          />
        )}
        <FormNote text={form.note} />
        <Button type="submit" isWide isBusy={isBusy}>
          Log in
        </Button>
      </FormFrame>
      <PasskeyLogin />
    </AuthPage>
  )
}

/**
 * Sets the first password with two keys: the invitation in `/#/join?invitation=…`, and the confirmation key from another operator.
 */
export function JoinScreen() {
  const [parameters] = useSearchParams()
  const navigate = useNavigate()
  const invitation = parameters.get('invitation') ?? ''
  const form = useForm(() => ({ confirmation: '', password: '' }))
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: () => ({
      ...(form.values.confirmation.trim() === '' && { confirmation: 'Enter the confirmation key.' }),
      ...(form.values.password === '' && { password: 'Choose a password.' }),
    }),
    send: async () => {
      await join({ invitation, ...form.values })
      // The invitation is used up, so the back button must not return to it.
      void navigate('/', { replace: true })
    },
    fieldOf: (reason) => {
      if (reason === 'confirmationWrong') return 'confirmation'
      return reason.startsWith('password') ? 'password' : undefined
    },
  })
  return (
    <AuthPage
      title="Join the desk"
      text="You need two keys, which work once and expire after three days: this link, and the confirmation key from the operator who approved your invitation. Then choose a password and set up a second factor."
    >
      <FormFrame form={form} onSubmit={onSubmit}>
        <ConfirmationField
          autoFocus
          value={form.values.confirmation}
          problem={form.problems.confirmation}
          onChange={(confirmation) => form.set({ confirmation })}
        />
        <NewPasswordField
          value={form.values.password}
          problem={form.problems.password}
          onChange={(password) => form.set({ password })}
        />
        <FormNote text={form.note} />
        <Button type="submit" isWide isBusy={isBusy}>
          Join
        </Button>
      </FormFrame>
    </AuthPage>
  )
}
