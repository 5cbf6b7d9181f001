import type { SecondFactorSecret } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { useSubmit } from '../../../live/requests/use-submit.ts'
import { FormFrame } from '@fairlot/ui/form-frame.tsx'
import { StepButtons } from './step-buttons.tsx'
import { useForm } from '@fairlot/ui/use-form.ts'
import { OwnPasswordField } from './own-password-field.tsx'
import { prepare } from './queries.ts'

type PrepareFormProps = { onPrepared: (secret: SecondFactorSecret) => void; onCancel: () => void }

/** First the password: whoever finds the device unlocked must not lock its owner out. */
export function PrepareForm({ onPrepared, onCancel }: PrepareFormProps) {
  const t = useTranslations('auth')
  const form = useForm(() => ({ password: '' }))
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: ({ password }) => (password === '' ? { password: t('enterPassword') } : {}),
    send: ({ password }) => prepare(password),
    fields: { passwordWrong: 'password' },
    onDone: onPrepared,
  })
  return (
    <FormFrame form={form} onSubmit={onSubmit}>
      <p className="text-note text-second">{t('prepareText')}</p>
      <OwnPasswordField
        hasFocusAtStart
        label={t('password')}
        value={form.values.password}
        problem={form.problems.password}
        onChange={(password) => form.set({ password })}
      />
      <StepButtons note={form.note} label={t('next')} isBusy={isBusy} onCancel={onCancel} />
    </FormFrame>
  )
}
