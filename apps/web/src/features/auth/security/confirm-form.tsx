import type { SecondFactorSecret } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { useSubmit } from '../../../live/requests/use-submit.ts'
import { buttonClass } from '@fairlot/ui/button.tsx'
import { FormFrame } from '@fairlot/ui/form-frame.tsx'
import { StepButtons } from './step-buttons.tsx'
import { CopyButton } from '@fairlot/ui/copy-button.tsx'
import { QrCode } from '@fairlot/ui/qr-code.tsx'
import { useForm } from '@fairlot/ui/use-form.ts'
import { AuthCodeField } from '../auth-code-field.tsx'
import { switchOn } from './queries.ts'

type ConfirmFormProps = {
  secret: SecondFactorSecret
  onConfirmed: (recoveryCodes: readonly string[]) => void
  onCancel: () => void
}

/** The secret for the app, and a code of the app as proof that it has it. */
export function ConfirmForm({ secret: { secret, address }, onConfirmed, onCancel }: ConfirmFormProps) {
  const t = useTranslations('auth')
  const form = useForm(() => ({ authCode: '' }))
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: ({ authCode }) => (authCode.trim() === '' ? { authCode: t('enterCode') } : {}),
    send: ({ authCode }) => switchOn(authCode.trim()),
    fields: { secondFactorWrong: 'authCode' },
    onDone: onConfirmed,
  })
  return (
    <FormFrame form={form} onSubmit={onSubmit}>
      <p className="text-note text-second">{t('secretText')}</p>
      <QrCode text={address} label={t('secretQrCode')} />
      <div className="rounded-field bg-page p-3">
        <p className="text-tiny text-second">{t('secret')}</p>
        <p dir="ltr" className="font-medium tracking-wide">
          {/* In groups for the eye; copied without them. */}
          {secret.match(/.{1,4}/g)?.join(' ')}
        </p>
      </div>
      <div className="flex flex-wrap gap-2 *:grow">
        <CopyButton
          text={secret}
          label={t('copySecret')}
          doneLabel={t('copied')}
          failedText={t('copyFailed')}
        />
        <a href={address} className={buttonClass('outline')}>
          {t('openApp')}
        </a>
      </div>
      <AuthCodeField
        isAppOnly
        value={form.values.authCode}
        problem={form.problems.authCode}
        onChange={(authCode) => form.set({ authCode })}
      />
      <StepButtons note={form.note} label={t('switchOn')} isBusy={isBusy} onCancel={onCancel} />
    </FormFrame>
  )
}
