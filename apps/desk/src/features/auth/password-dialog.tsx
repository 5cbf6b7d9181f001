import { changeDeskPassword } from '@fairlot/contract/desk'
import { FormDialog } from '@fairlot/ui/dialog.tsx'
import { useState } from 'react'
import { useDeskAct } from '../../live/use-desk-act.ts'
import { CodeField, NewPasswordField, OwnPasswordField } from './fields.tsx'

/** Another password of one's own. */
export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const [values, setValues] = useState({ oldPassword: '', password: '', code: '' })
  const [refused, setRefused] = useState(0)
  const act = useDeskAct(changeDeskPassword, {
    done: 'Your password is changed. Other sessions have ended.',
    isQuiet: true,
  })
  const send = async () => {
    const done = await act.run(values)
    if (done.ok) onClose()
    else setRefused(refused + 1)
  }
  return (
    <FormDialog
      title="Own password"
      text="Your other sessions end with it."
      sendLabel="Change"
      cancelLabel="Cancel"
      refused={refused}
      note={act.problem}
      isBusy={act.isBusy}
      onClose={onClose}
      onSend={() => void send()}
    >
      <OwnPasswordField
        label="Password until now"
        value={values.oldPassword}
        onChange={(oldPassword) => setValues({ ...values, oldPassword })}
      />
      <NewPasswordField value={values.password} onChange={(password) => setValues({ ...values, password })} />
      <CodeField value={values.code} onChange={(code) => setValues({ ...values, code })} />
    </FormDialog>
  )
}
