import { Button } from '@fairlot/ui/button.tsx'
import { TextField } from '@fairlot/ui/field.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/form-frame.tsx'
import { useForm } from '@fairlot/ui/use-form.ts'
import { useState } from 'react'
import { logIn } from '../../live/session.ts'
import { useSession } from '../../live/token.ts'
import { CodeField, OwnPasswordField } from './fields.tsx'
import { Gate } from './gate.tsx'
import { useSending } from './use-sending.ts'

const ENDED = {
  idle: 'You were logged out after a while without a hand on the desk.',
  gone: 'Your session has ended. Log in again.',
}

/** Name and password; then the code, once the answer asks for it. */
export function LoginScreen() {
  const leaving = useSession((session) => session.leaving)
  const form = useForm(() => ({ name: '', password: '', code: '' }))
  const [wantsCode, setWantsCode] = useState(false)
  const { values, problems, set } = form
  const { onSubmit, isBusy } = useSending({
    form,
    check: () => ({
      ...(values.name.trim() === '' && { name: 'Your name at the desk is missing.' }),
      ...(values.password === '' && { password: 'The password is missing.' }),
      ...(wantsCode && values.code.trim() === '' && { code: 'The code is missing.' }),
    }),
    send: () => logIn(values.name.trim(), values.password, wantsCode ? values.code.trim() : null),
    fieldOf: (reason) => (reason === 'secondFactorWrong' ? 'code' : undefined),
    onRefused: (reason) => {
      if (reason !== 'secondFactorNeeded') return false
      setWantsCode(true)
      return true
    },
  })
  return (
    <Gate title="Log in" text={leaving === null ? undefined : ENDED[leaving]}>
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
        {wantsCode && (
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
    </Gate>
  )
}
