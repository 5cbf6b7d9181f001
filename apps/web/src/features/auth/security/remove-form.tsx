import { useTranslations } from 'use-intl'
import { useSubmit } from '../../../live/requests/use-submit.ts'
import { FormFrame } from '@fairlot/ui/form-frame.tsx'
import { StepButtons } from './step-buttons.tsx'
import { useForm } from '@fairlot/ui/use-form.ts'
import { AuthCodeField } from '../auth-code-field.tsx'
import { OwnPasswordField } from './own-password-field.tsx'
import { switchOff } from './queries.ts'

const REFUSED = {
  passwordWrong: 'password',
  secondFactorNeeded: 'authCode',
  secondFactorWrong: 'authCode',
} as const

/** Switching off asks for both, the password and a code. */
export function RemoveForm({ onRemoved, onCancel }: { onRemoved: () => void; onCancel: () => void }) {
  const t = useTranslations('auth')
  const form = useForm(() => ({ password: '', authCode: '' }))
  const { values, problems, set } = form
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: ({ password, authCode }) => ({
      ...(password === '' && { password: t('enterPassword') }),
      ...(authCode.trim() === '' && { authCode: t('enterCode') }),
    }),
    send: ({ password, authCode }) => switchOff({ password, authCode: authCode.trim() }),
    fields: REFUSED,
    onDone: onRemoved,
  })
  return (
    <FormFrame form={form} onSubmit={onSubmit}>
      <p className="text-note text-second">{t('removeText')}</p>
      <OwnPasswordField
        hasFocusAtStart
        label={t('password')}
        value={values.password}
        problem={problems.password}
        onChange={(password) => set({ password })}
      />
      <AuthCodeField
        value={values.authCode}
        problem={problems.authCode}
        onChange={(authCode) => set({ authCode })}
      />
      <StepButtons note={form.note} label={t('switchOff')} isBusy={isBusy} onCancel={onCancel} />
    </FormFrame>
  )
}
