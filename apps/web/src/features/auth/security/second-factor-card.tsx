import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { SecondFactorSecret } from '@fairlot/contract'
import { Badge } from '@fairlot/ui/feedback/badge.tsx'
import { Button, buttonClass } from '@fairlot/ui/controls/button.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { CopyButton } from '@fairlot/ui/controls/copy-button.tsx'
import { FormFrame } from '@fairlot/ui/forms/form-frame.tsx'
import { QrCode } from '@fairlot/ui/graphics/qr-code.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { TextButton } from '@fairlot/ui/controls/text-button.tsx'
import { useForm } from '@fairlot/ui/forms/use-form.ts'
import { useSubmit } from '../../../live/requests/use-submit.ts'
import { useSecondFactor } from '../../../live/session/second-factor.ts'
import { AuthCodeField } from '../../../ui/auth-code-field.tsx'
import { OwnPasswordField } from '../credential-fields.tsx'
import { PROOF_ERROR_FIELDS } from '../own-proof.tsx'
import { addApp, createSecret, removeApp } from './queries.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { StepButtons } from './step-buttons.tsx'

type Step =
  | { readonly name: 'idle' | 'prepare' | 'remove' }
  | { readonly name: 'confirm'; readonly secret: SecondFactorSecret }
  | { readonly name: 'codes'; readonly codes: readonly string[] }

const IDLE: Step = { name: 'idle' }

/** The authenticator app of the second factor: whether it is set up, and the steps that add or remove it. */
export function SecondFactorCard() {
  const t = useTranslations()
  const { data, isError, refetch } = useSecondFactor()
  const [step, setStep] = useState<Step>(IDLE)
  const finish = () => setStep(IDLE)
  return (
    <Card>
      <div className="mb-1 flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-bold">{t('auth.app')}</h2>
        {data && <Badge>{t(data.hasApp ? 'auth.isOn' : 'auth.isOff')}</Badge>}
      </div>
      {step.name === 'prepare' && (
        <PrepareForm
          needsPasskey={data?.isOn ?? false}
          onPrepared={(secret) => setStep({ name: 'confirm', secret })}
          onCancel={finish}
        />
      )}
      {step.name === 'confirm' && (
        <ConfirmForm
          secret={step.secret}
          onConfirmed={(codes) => setStep({ name: 'codes', codes })}
          onCancel={finish}
        />
      )}
      {step.name === 'codes' && <RecoveryCodes codes={step.codes} onKept={finish} />}
      {step.name === 'remove' && <RemoveForm onRemoved={finish} onCancel={finish} />}
      {step.name === 'idle' &&
        (data ? (
          <AppStatus
            hasApp={data.hasApp}
            onChange={() => setStep({ name: data.hasApp ? 'remove' : 'prepare' })}
          />
        ) : isError ? (
          <p className="text-note text-second">
            {t('auth.secondFactorFailed')}{' '}
            <TextButton onClick={() => void refetch()}>{t('app.retry')}</TextButton>
          </p>
        ) : (
          <Skeleton shape="h-24 w-full" />
        ))}
    </Card>
  )
}

function AppStatus({ hasApp, onChange }: { hasApp: boolean; onChange: () => void }) {
  const t = useTranslations('auth')
  return (
    <>
      <p className="mb-4 text-note text-second">{t(hasApp ? 'appOnText' : 'appText')}</p>
      <Button tone="outline" isWide onClick={onChange}>
        {t(hasApp ? 'switchOff' : 'switchOn')}
      </Button>
    </>
  )
}

type PrepareFormProps = {
  /** Passkeys are a second factor already. */
  needsPasskey: boolean
  onPrepared: (secret: SecondFactorSecret) => void
  onCancel: () => void
}

/** Requires the password first, so that a thief of an unlocked device cannot lock the user out. */
function PrepareForm({ needsPasskey, onPrepared, onCancel }: PrepareFormProps) {
  const t = useTranslations('auth')
  const form = useForm(() => ({ password: '', authCode: '' }))
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: ({ password, authCode }) => ({
      ...(password === '' && { password: t('enterPassword') }),
      ...(needsPasskey && authCode.trim() === '' && { authCode: t('enterCode') }),
    }),
    send: ({ password, authCode }) => createSecret({ password, authCode: authCode.trim() || null }),
    fields: PROOF_ERROR_FIELDS,
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
      {needsPasskey && (
        <AuthCodeField
          passkeyFor="secondFactor"
          value={form.values.authCode}
          problem={form.problems.authCode}
          onChange={(authCode) => form.set({ authCode })}
        />
      )}
      <StepButtons note={form.note} label={t('next')} isBusy={isBusy} onCancel={onCancel} />
    </FormFrame>
  )
}

type ConfirmFormProps = {
  secret: SecondFactorSecret
  onConfirmed: (recoveryCodes: readonly string[]) => void
  onCancel: () => void
}

/** The secret for the authenticator app, and a code of the app as proof that it was set up. */
function ConfirmForm({ secret: { secret, address }, onConfirmed, onCancel }: ConfirmFormProps) {
  const t = useTranslations('auth')
  const form = useForm(() => ({ authCode: '' }))
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: ({ authCode }) => (authCode.trim() === '' ? { authCode: t('enterCode') } : {}),
    send: ({ authCode }) => addApp(authCode.trim()),
    fields: { secondFactorWrong: 'authCode' },
    onDone: onConfirmed,
  })
  return (
    <FormFrame form={form} onSubmit={onSubmit}>
      <p className="text-note text-second">{t('secretText')}</p>
      <QrCode text={address} label={t('secretQrCode')} />
      <div className="rounded-field bg-page p-3">
        <p className="text-tiny text-second">{t('secret')}</p>
        <p dir="ltr" translate="no" className="font-medium tracking-wide">
          {/* In groups of four for reading; the copy button omits them. */}
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

/** Removes the app, which needs the password and a code or a passkey. */
function RemoveForm({ onRemoved, onCancel }: { onRemoved: () => void; onCancel: () => void }) {
  const t = useTranslations('auth')
  const form = useForm(() => ({ password: '', authCode: '' }))
  const { values, problems, set } = form
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: ({ password, authCode }) => ({
      ...(password === '' && { password: t('enterPassword') }),
      ...(authCode.trim() === '' && { authCode: t('enterCode') }),
    }),
    send: ({ password, authCode }) => removeApp({ password, authCode: authCode.trim() }),
    fields: PROOF_ERROR_FIELDS,
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
        passkeyFor="secondFactor"
        value={values.authCode}
        problem={problems.authCode}
        onChange={(authCode) => set({ authCode })}
      />
      <StepButtons note={form.note} label={t('switchOff')} isBusy={isBusy} onCancel={onCancel} />
    </FormFrame>
  )
}
