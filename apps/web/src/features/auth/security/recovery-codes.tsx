import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { User } from '@fairlot/contract'
import { ButtonRow } from '@fairlot/ui/controls/button-row.tsx'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { CopyButton } from '@fairlot/ui/controls/copy-button.tsx'
import { FormFrame } from '@fairlot/ui/forms/form-frame.tsx'
import { useForm } from '@fairlot/ui/forms/use-form.ts'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { useSubmit } from '../../../live/requests/use-submit.ts'
import { useSecondFactor } from '../../../live/session/second-factor.ts'
import {
  NO_PROOF,
  PROOF_ERROR_FIELDS,
  ProofField,
  type ProofKind,
  proofOf,
  useProofCheck,
  useProofKind,
} from '../own-proof.tsx'
import { newRecoveryCodes } from './queries.ts'
import { StepButtons } from './step-buttons.tsx'

type Step =
  | { readonly name: 'idle' | 'proof' }
  | { readonly name: 'codes'; readonly codes: readonly string[] }

/** How many recovery codes are left, and new ones; shown while the second factor is on. */
export function RecoveryCodesCard({ user }: { user: User }) {
  const t = useTranslations('auth')
  const { data } = useSecondFactor()
  const kind = useProofKind(user)
  const [step, setStep] = useState<Step>({ name: 'idle' })
  const finish = () => setStep({ name: 'idle' })
  if (!data?.isOn || kind === undefined) return null
  return (
    <Card>
      <h2 className="mb-1 font-bold">{t('recoveryCodesTitle')}</h2>
      {step.name === 'codes' && <RecoveryCodes codes={step.codes} onKept={finish} />}
      {step.name === 'proof' && (
        <RenewForm kind={kind} onMade={(codes) => setStep({ name: 'codes', codes })} onCancel={finish} />
      )}
      {step.name === 'idle' && (
        <>
          <p className="mb-4 text-note text-second">
            {t('recoveryCodesLeft', { count: data.recoveryCodesLeft })}
          </p>
          <Button tone="outline" isWide onClick={() => setStep({ name: 'proof' })}>
            {t('newRecoveryCodes')}
          </Button>
        </>
      )}
    </Card>
  )
}

type RenewFormProps = { kind: ProofKind; onMade: (codes: readonly string[]) => void; onCancel: () => void }

function RenewForm({ kind, onMade, onCancel }: RenewFormProps) {
  const t = useTranslations('auth')
  const form = useForm(() => NO_PROOF)
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: useProofCheck(kind),
    send: (values) => newRecoveryCodes(proofOf(values)),
    fields: PROOF_ERROR_FIELDS,
    onDone: onMade,
  })
  return (
    <FormFrame form={form} onSubmit={onSubmit}>
      <p className="text-note text-second">{t('newRecoveryCodesText')}</p>
      <ProofField
        kind={kind}
        purpose="secondFactor"
        values={form.values}
        problems={form.problems}
        onChange={form.set}
      />
      <StepButtons note={form.note} label={t('newRecoveryCodes')} isBusy={isBusy} onCancel={onCancel} />
    </FormFrame>
  )
}

/** The recovery codes, shown once: the server stores only their hashes. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const t = useTranslations('auth')
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h3 ref={heading} tabIndex={-1} className="mt-2 font-bold outline-none">
          {t('recoveryCodes')}
        </h3>
        <p className="text-note text-second">{t('recoveryCodesText')}</p>
      </div>
      <ol
        aria-label={t('recoveryCodes')}
        dir="ltr"
        translate="no"
        className="flex flex-wrap gap-x-6 gap-y-1 rounded-field bg-page p-3"
      >
        {codes.map((code) => (
          <li key={code} className="font-medium tracking-wide">
            {code}
          </li>
        ))}
      </ol>
      <ButtonRow>
        <CopyButton
          text={codes.join('\n')}
          label={t('copyCodes')}
          doneLabel={t('copied')}
          failedText={t('copyFailed')}
        />
        <Button onClick={onKept}>{t('codesKept')}</Button>
      </ButtonRow>
    </div>
  )
}
