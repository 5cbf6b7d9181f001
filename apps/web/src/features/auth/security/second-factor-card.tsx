import type { SecondFactorSecret } from '@fairlot/contract'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Badge } from '@fairlot/ui/badge.tsx'
import { Button } from '@fairlot/ui/button.tsx'
import { Card } from '@fairlot/ui/card.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { TextButton } from '@fairlot/ui/text-button.tsx'
import { ConfirmForm } from './confirm-form.tsx'
import { PrepareForm } from './prepare-form.tsx'
import { useSecondFactor } from './queries.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { RemoveForm } from './remove-form.tsx'

type Step =
  | { readonly name: 'rest' | 'prepare' | 'remove' }
  | { readonly name: 'confirm'; readonly secret: SecondFactorSecret }
  | { readonly name: 'codes'; readonly codes: readonly string[] }

const REST: Step = { name: 'rest' }

/** The second factor: whether it is on, and the way to change that, step by step in the same place. */
export function SecondFactorCard() {
  const t = useTranslations()
  const { data, isError, refetch } = useSecondFactor()
  const [step, setStep] = useState<Step>(REST)
  const rest = () => setStep(REST)
  return (
    <Card>
      <div className="mb-1 flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-bold">{t('auth.secondFactor')}</h2>
        {data && <Badge>{t(data.isOn ? 'auth.isOn' : 'auth.isOff')}</Badge>}
      </div>
      {step.name === 'prepare' && (
        <PrepareForm onPrepared={(secret) => setStep({ name: 'confirm', secret })} onCancel={rest} />
      )}
      {step.name === 'confirm' && (
        <ConfirmForm
          secret={step.secret}
          onConfirmed={(codes) => setStep({ name: 'codes', codes })}
          onCancel={rest}
        />
      )}
      {step.name === 'codes' && <RecoveryCodes codes={step.codes} onKept={rest} />}
      {step.name === 'remove' && <RemoveForm onRemoved={rest} onCancel={rest} />}
      {step.name === 'rest' &&
        (data ? (
          <Resting
            isOn={data.isOn}
            codesLeft={data.recoveryCodesLeft}
            onChange={() => setStep({ name: data.isOn ? 'remove' : 'prepare' })}
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

function Resting({ isOn, codesLeft, onChange }: { isOn: boolean; codesLeft: number; onChange: () => void }) {
  const t = useTranslations('auth')
  return (
    <>
      <p className="mb-4 text-note text-second">
        {isOn ? t('secondFactorOnText', { count: codesLeft }) : t('secondFactorText')}
      </p>
      <Button tone="outline" isWide onClick={onChange}>
        {t(isOn ? 'switchOff' : 'switchOn')}
      </Button>
    </>
  )
}
