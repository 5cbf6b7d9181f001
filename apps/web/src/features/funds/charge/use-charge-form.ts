import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useForm } from '@fairlot/ui/use-form.ts'
import type { Money } from '@fairlot/core'
import { useSubmit } from '../../../live/requests/use-submit.ts'
import { readAmount } from '../amount-text.ts'

type ChargeValues = { amount: string; proof: string; reference: string }
/** What was told of a transfer. */
export type Told = { amount: Money; proof: string; reference: string }

const EMPTY: ChargeValues = { amount: '', proof: '', reference: '' }

const REFUSED = {
  amountMalformed: 'amount',
  amountInvalid: 'amount',
  dayLimitReached: 'amount',
  personDayLimitReached: 'amount',
  proofUnknown: 'proof',
  proofUsed: 'proof',
} as const

/** What both ways to tell of a deposit have in common: the amount, and a picture of the transfer. */
export function useChargeForm(send: (told: Told) => Promise<void>) {
  const t = useTranslations('payments')
  // A picture that has been told of is not shown for the next deposit.
  const [round, setRound] = useState(0)
  const form = useForm<ChargeValues>(() => EMPTY)
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: ({ amount, proof }) => ({
      ...(readAmount(amount) === null && { amount: t('enterAmount') }),
      ...(proof === '' && { proof: t('addProof') }),
    }),
    send: async ({ amount, proof, reference }) => {
      const read = readAmount(amount)
      if (read !== null) await send({ amount: read, proof, reference: reference.trim() })
    },
    fields: REFUSED,
    onDone: () => {
      form.set(EMPTY)
      setRound((before) => before + 1)
    },
  })
  return { form, onSubmit, isBusy, round }
}
