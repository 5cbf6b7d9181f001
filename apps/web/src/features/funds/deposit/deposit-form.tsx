import { type ReactNode, type SubmitEventHandler, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { DepositAddress } from '@fairlot/contract'
import { RATE_DECIMALS, fromUnits, amountAtRate } from '@fairlot/core'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/forms/form-frame.tsx'
import { navigate } from '@fairlot/ui/navigation/router.tsx'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useSubmit } from '../../../live/requests/use-submit.ts'
import { useKeptForm } from '../../../live/session/kept-input.ts'
import { PictureField } from '../../../ui/picture-field.tsx'
import { AmountField } from '../../../ui/amount-field.tsx'
import { readSent, useLeftToday } from '../sent-amounts.ts'

const REFERENCE_LENGTH = 300

type DepositFormProps = Omit<ReturnType<typeof useDepositForm>, 'onSubmit'> & {
  onSubmit: SubmitEventHandler
  currency: string
  channel: Channel
  children?: ReactNode
}

type Channel = Pick<DepositAddress, 'leftToday' | 'rate' | 'isRateFixed' | 'accountCurrency'>

/** The amount sent, a picture of the transfer, and the button that submits both. */
export function DepositForm({
  form,
  onSubmit,
  isBusy,
  round,
  currency,
  channel,
  children,
}: DepositFormProps) {
  const t = useTranslations('payments')
  return (
    <Card>
      <FormFrame form={form} onSubmit={onSubmit}>
        {children}
        <AmountField
          label={t('amountSent', { currency: asName(currency) })}
          value={form.values.amount}
          hint={useAmountHint(currency, channel, form.values.amount)}
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
          {t('sendDeposit')}
        </Button>
        <p className="text-note text-second">{t('sendDepositText')}</p>
      </FormFrame>
    </Card>
  )
}

/** The amount's value at the current rate, and what is left of the daily limits. */
function useAmountHint(currency: string, channel: Channel, text: string): string | undefined {
  const t = useTranslations('payments')
  const { figures } = useLocale()
  const { rate, isRateFixed, accountCurrency, leftToday } = channel
  const amount = readSent(text)
  const lines = [useLeftToday(leftToday, accountCurrency)]
  if (rate !== null && currency !== accountCurrency)
    lines.unshift(
      t(isRateFixed ? 'rateFixed' : 'rateNow', {
        currency: asName(currency),
        rate: asName(figures.decimal(fromUnits(rate, RATE_DECIMALS))),
        account: asName(accountCurrency),
      }),
      amount === null
        ? undefined
        : t(isRateFixed ? 'valueFixed' : 'valueNow', {
            amount: asName(figures.publicMoney(amountAtRate(amount, rate))),
            account: asName(accountCurrency),
          }),
    )
  const shown = lines.filter((line) => line !== undefined)
  return shown.length === 0 ? undefined : shown.join(' ')
}

type DepositValues = { amount: string; proof: string; reference: string }
/** A transfer that the user reports. `amount`: in units of 1e-8 of the sent currency. */
export type SentTransfer = { amount: bigint; proof: string; reference: string }

const EMPTY: DepositValues = { amount: '', proof: '', reference: '' }

const ERROR_FIELDS = {
  amountMalformed: 'amount',
  amountInvalid: 'amount',
  rateUnknown: 'amount',
  dayLimitReached: 'amount',
  personDayLimitReached: 'amount',
  proofUnknown: 'proof',
  proofUsed: 'proof',
} as const

/** The field of each name on the wire. */
const WIRE_FIELDS = { number: 'amount', proofImg: 'proof', transaction_number: 'reference' } as const

/** The form of coin and wire deposits. `name`: of the channel, by which what was typed is kept. */
export function useDepositForm(name: string, send: (transfer: SentTransfer) => Promise<number>) {
  const t = useTranslations('payments')
  // The picture of one deposit is not shown for the next.
  const [round, setRound] = useState(0)
  const form = useKeptForm<DepositValues>(`deposit ${name}`, () => EMPTY, ['proof'])
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: ({ amount, proof }) => ({
      ...(readSent(amount) === null && { amount: t('enterAmount') }),
      ...(proof === '' && { proof: t('addProof') }),
    }),
    send: async ({ amount, proof, reference }) => {
      const read = readSent(amount)
      return read === null ? null : send({ amount: read, proof, reference: reference.trim() })
    },
    fields: ERROR_FIELDS,
    wireFields: WIRE_FIELDS,
    onDone: (id) => {
      // The user then sees the request and its next step.
      if (id !== null) navigate(`/mine/charge?id=${id}`)
      form.set(EMPTY)
      setRound((before) => before + 1)
    },
  })
  return { form, onSubmit, isBusy, round }
}
