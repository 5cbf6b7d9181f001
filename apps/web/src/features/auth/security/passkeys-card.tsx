import { useState } from 'react'
import { useTranslations } from 'use-intl'
import {
  deviceName,
  type MadePasskey,
  type NewPasskeyChallenge,
  type PasskeyView,
  type User,
} from '@fairlot/contract'
import { Badge } from '@fairlot/ui/feedback/badge.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { PillButton } from '@fairlot/ui/controls/pill-button.tsx'
import { TextButton } from '@fairlot/ui/controls/text-button.tsx'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { FormFrame } from '@fairlot/ui/forms/form-frame.tsx'
import { useForm } from '@fairlot/ui/forms/use-form.ts'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { makePasskey, type PasskeyProblem } from '@fairlot/ui/passkeys/passkeys.ts'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useSubmit } from '../../../live/requests/use-submit.ts'
import { useCanUsePasskeys, useSecondFactor } from '../../../live/session/second-factor.ts'
import {
  NO_PROOF,
  PROOF_ERROR_FIELDS,
  ProofField,
  type ProofKind,
  proofOf,
  useProofCheck,
  useProofKind,
} from '../own-proof.tsx'
import { dropPasskey, keepPasskey, requestPasskey, usePasskeys } from './queries.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { StepButtons } from './step-buttons.tsx'

type Step =
  | { readonly name: 'idle' | 'add' }
  | { readonly name: 'remove'; readonly passkey: PasskeyView }
  | { readonly name: 'codes'; readonly codes: readonly string[] }

const IDLE: Step = { name: 'idle' }

/** The user's passkeys, and the steps that add and remove one. */
export function PasskeysCard({ user }: { user: User }) {
  const t = useTranslations()
  const { data, isError, refetch } = usePasskeys()
  const kind = useProofKind(user)
  const canUse = useCanUsePasskeys()
  const [step, setStep] = useState<Step>(IDLE)
  const finish = () => setStep(IDLE)
  // Nothing to see where this address knows no passkeys and the user has none.
  if (!canUse && (data?.passkeys.length ?? 0) === 0) return null
  return (
    <Card>
      <h2 className="mb-1 font-bold">{t('passkeys.title')}</h2>
      {step.name === 'codes' && <RecoveryCodes codes={step.codes} onKept={finish} />}
      {step.name === 'add' && kind !== undefined && (
        <AddForm
          kind={kind}
          onAdded={(codes) => setStep(codes === null ? IDLE : { name: 'codes', codes })}
          onCancel={finish}
        />
      )}
      {step.name === 'remove' && kind !== undefined && (
        <RemoveForm passkey={step.passkey} kind={kind} onRemoved={finish} onCancel={finish} />
      )}
      {step.name === 'idle' &&
        (data && kind !== undefined ? (
          <>
            <p className="text-note text-second">{t('passkeys.text')}</p>
            {data.passkeys.length > 0 && (
              <ul className="my-2 divide-y divide-line">
                {data.passkeys.map((passkey) => (
                  <PasskeyRow
                    key={passkey.id}
                    passkey={passkey}
                    onRemove={() => setStep({ name: 'remove', passkey })}
                  />
                ))}
              </ul>
            )}
            {canUse ? (
              <div className="mt-4">
                <Button tone="outline" isWide onClick={() => setStep({ name: 'add' })}>
                  {t('passkeys.add')}
                </Button>
              </div>
            ) : (
              <p className="mt-2 text-note text-second">{t('passkeys.notHere')}</p>
            )}
          </>
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

function PasskeyRow({ passkey, onRemove }: { passkey: PasskeyView; onRemove: () => void }) {
  const t = useTranslations('passkeys')
  const { moments } = useLocale()
  const { name, createdAt, usedAt, isSynced, isOfOtherDomain } = passkey
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <div className="min-w-0 flex-[1_1_10rem]">
        <p className="break-words">
          <bdi translate="no">{name}</bdi> {isSynced && <Badge>{t('synced')}</Badge>}
        </p>
        <p className="text-note text-second">
          {withNames(t('addedAt', { time: asName(moments.dateTime(createdAt)) }))}
          {' · '}
          {usedAt === null
            ? t('neverUsed')
            : withNames(t('usedAt', { time: asName(moments.dateTime(usedAt)) }))}
        </p>
        {isOfOtherDomain && <p className="text-note text-danger">{t('ofOtherDomain')}</p>}
      </div>
      <PillButton aria-label={t('removeNamed', { name })} onClick={onRemove}>
        {t('remove')}
      </PillButton>
    </li>
  )
}

type AddFormProps = {
  kind: ProofKind
  /** With the recovery codes, where the account had none. */
  onAdded: (codes: readonly string[] | null) => void
  onCancel: () => void
}

type Added = { readonly codes: readonly string[] | null } | { readonly problem: PasskeyProblem }

/** Proof of ownership first, then the device makes the passkey; if it did not, that alone can be tried again. */
function AddForm({ kind, onAdded, onCancel }: AddFormProps) {
  const t = useTranslations()
  const [challenge, setChallenge] = useState<NewPasskeyChallenge | null>(null)
  const form = useForm(() => ({ ...NO_PROOF, name: deviceName(navigator.userAgent) ?? '' }))
  const checkProof = useProofCheck(challenge === null ? kind : 'none')
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: (values) => checkProof(values),
    send: async ({ name, ...proof }): Promise<Added> => {
      const requested = challenge ?? (await requestPasskey(proofOf(proof)))
      setChallenge(requested)
      const made: MadePasskey | PasskeyProblem = await makePasskey(requested)
      if (typeof made === 'string') return { problem: made }
      return { codes: await keepPasskey({ name, passkey: made }) }
    },
    fields: PROOF_ERROR_FIELDS,
    onDone: (added) => {
      if ('codes' in added) onAdded(added.codes)
      else form.reject({}, t(`factor.problem.${added.problem}`))
    },
    onRejected: () => {
      // A challenge is good for one attempt.
      setChallenge(null)
      return false
    },
  })
  return (
    <FormFrame form={form} onSubmit={onSubmit}>
      <p className="text-note text-second">{t('passkeys.addText')}</p>
      <TextField
        label={t('passkeys.name')}
        hint={t('passkeys.nameHint')}
        maxLength={60}
        value={form.values.name}
        problem={form.problems.name}
        onChange={(name) => form.set({ name })}
      />
      {challenge === null && (
        <ProofField
          kind={kind}
          purpose="passkeys"
          values={form.values}
          problems={form.problems}
          onChange={form.set}
        />
      )}
      <StepButtons note={form.note} label={t('auth.next')} isBusy={isBusy} onCancel={onCancel} />
    </FormFrame>
  )
}

type RemoveFormProps = {
  passkey: PasskeyView
  kind: ProofKind
  onRemoved: () => void
  onCancel: () => void
}

/** Says what removing it means, above all for the last one. */
function RemoveForm({ passkey: { id, name }, kind, onRemoved, onCancel }: RemoveFormProps) {
  const t = useTranslations('passkeys')
  const { data } = useSecondFactor()
  const form = useForm(() => NO_PROOF)
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: useProofCheck(kind),
    send: (values) => dropPasskey(id, proofOf(values)),
    fields: PROOF_ERROR_FIELDS,
    onDone: onRemoved,
  })
  const meaning = data?.passkeys !== 1 ? 'others' : data.hasApp ? 'lastWithApp' : 'last'
  return (
    <FormFrame form={form} onSubmit={onSubmit}>
      <p className="text-body">{withNames(t('removeTitle', { name: asName(name) }))}</p>
      <p className="text-note text-second">{t(`removeText.${meaning}`)}</p>
      <p className="text-note text-second">{t('removeDevice')}</p>
      <ProofField
        kind={kind}
        purpose="passkeys"
        values={form.values}
        problems={form.problems}
        onChange={form.set}
      />
      <StepButtons note={form.note} label={t('remove')} tone="danger" isBusy={isBusy} onCancel={onCancel} />
    </FormFrame>
  )
}
