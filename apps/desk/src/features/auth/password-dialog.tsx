import { changeDeskPassword, isPasskeyCode } from '@fairlot/contract/desk'
import { TextButton } from '@fairlot/ui/controls/text-button.tsx'
import { showToast } from '@fairlot/ui/feedback/toast.ts'
import { useForm } from '@fairlot/ui/forms/use-form.ts'
import { FormDialog } from '@fairlot/ui/overlays/dialog.tsx'
import { request } from '../../live/request.ts'
import { CodeField, missingCode, NewPasswordField, OwnPasswordField, useSubmit } from './auth-page.tsx'
import { PasskeyProof } from './passkeys.tsx'

/** Changes the operator's own password. */
export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const form = useForm(() => ({ oldPassword: '', password: '', code: '' }))
  const { values, problems, set } = form
  const { submit, isBusy } = useSubmit({
    form,
    check: () => ({
      ...(values.oldPassword === '' && { oldPassword: 'Enter your current password.' }),
      ...(values.password === '' && { password: 'Choose a password.' }),
      ...missingCode(values.code),
    }),
    send: async () => {
      await request(changeDeskPassword, values)
      showToast({ text: 'Password changed. Your other sessions were logged out.' })
      onClose()
    },
    fieldOf: (reason) => {
      if (reason === 'passwordWrong') return 'oldPassword'
      if (reason.startsWith('secondFactor') || reason.startsWith('passkey')) return 'code'
      return reason.startsWith('password') ? 'password' : undefined
    },
  })
  return (
    <FormDialog
      title="Change your password"
      text="Your other sessions will be logged out."
      submitLabel="Change"
      cancelLabel="Cancel"
      rejections={form.rejections}
      note={form.note}
      isBusy={isBusy}
      onClose={onClose}
      onSubmit={submit}
    >
      <OwnPasswordField
        label="Current password"
        value={values.oldPassword}
        problem={problems.oldPassword}
        onChange={(oldPassword) => set({ oldPassword })}
      />
      <NewPasswordField
        value={values.password}
        problem={problems.password}
        onChange={(password) => set({ password })}
      />
      {isPasskeyCode(values.code) ? (
        <p role="status" className="rounded-field bg-page p-3 text-note">
          {problems.code ?? 'Your passkey has confirmed that it is you.'}{' '}
          <TextButton onClick={() => set({ code: '' })}>Enter a code instead</TextButton>
        </p>
      ) : (
        <>
          <PasskeyProof purpose="password" onSigned={(code) => set({ code })} />
          <CodeField value={values.code} problem={problems.code} onChange={(code) => set({ code })} />
        </>
      )}
    </FormDialog>
  )
}
