import type { ReactNode, SubmitEventHandler } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '@fairlot/ui/button.tsx'
import { Card } from '@fairlot/ui/card.tsx'
import { TextField } from '@fairlot/ui/field.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/form-frame.tsx'
import type { Money } from '@fairlot/core'
import { AmountField } from '../amount-field.tsx'
import { useLeftToday } from '../use-left-today.ts'
import { PictureField } from '../../../ui/picture-field.tsx'
import type { useChargeForm } from './use-charge-form.ts'

const REFERENCE_LENGTH = 120

type ChargeFormProps = Omit<ReturnType<typeof useChargeForm>, 'onSubmit'> & {
  onSubmit: SubmitEventHandler
  currency: string
  /** What may still come in by this way today; null for no limit. */
  leftToday: Money | null
  children?: ReactNode
}

/** The amount that was sent, the picture that shows it, and the button that tells of both. */
export function ChargeForm({
  form,
  onSubmit,
  isBusy,
  round,
  currency,
  leftToday,
  children,
}: ChargeFormProps) {
  const t = useTranslations('payments')
  return (
    <Card>
      <FormFrame form={form} onSubmit={onSubmit}>
        {children}
        <AmountField
          label={t('amountSent', { currency })}
          value={form.values.amount}
          hint={useLeftToday(leftToday)}
          problem={form.problems.amount}
          onChange={(amount) => form.set({ amount })}
        />
        <TextField
          label={t('referenceSent')}
          value={form.values.reference}
          maxLength={REFERENCE_LENGTH}
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          problem={form.problems.reference}
          onChange={(reference) => form.set({ reference })}
        />
        <PictureField
          key={round}
          label={t('proof')}
          hint={t('proofHint')}
          problem={form.problems.proof}
          onChange={(proof) => form.set({ proof: proof ?? '' })}
        />
        <FormNote text={form.note} />
        <Button type="submit" isWide isBusy={isBusy}>
          {t('tell')}
        </Button>
        <p className="text-note text-second">{t('tellText')}</p>
      </FormFrame>
    </Card>
  )
}
