import { Button } from '@fairlot/ui/button.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/form-frame.tsx'
import { useForm } from '@fairlot/ui/use-form.ts'
import { useNavigate, useSearchParams } from 'react-router'
import { join } from '../../live/session.ts'
import { NewPasswordField } from './fields.tsx'
import { Gate } from './gate.tsx'
import { useSending } from './use-sending.ts'

/** The first password, by an invitation: `/#/join?invitation=…`. */
export function JoinScreen() {
  const [parameters] = useSearchParams()
  const navigate = useNavigate()
  const invitation = parameters.get('invitation') ?? ''
  const form = useForm(() => ({ password: '' }))
  const { onSubmit, isBusy } = useSending({
    form,
    check: () => (form.values.password === '' ? { password: 'Choose a password.' } : {}),
    send: async () => {
      await join(invitation, form.values.password)
      // Not back to it: the invitation is used up.
      void navigate('/', { replace: true })
    },
    fieldOf: (reason) => (reason.startsWith('password') ? 'password' : undefined),
  })
  return (
    <Gate
      title="Join the desk"
      text="You were invited. Choose a password; a second factor comes next. An invitation is good once and for three days."
    >
      <FormFrame form={form} onSubmit={onSubmit}>
        <NewPasswordField
          autoFocus
          value={form.values.password}
          problem={form.problems.password}
          onChange={(password) => form.set({ password })}
        />
        <FormNote text={form.note} />
        <Button type="submit" isWide isBusy={isBusy}>
          Join
        </Button>
      </FormFrame>
    </Gate>
  )
}
