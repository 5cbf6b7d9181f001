import type { PayoutCurrency, ReceivingMethod } from '@fairlot/contract'
import { money } from '@fairlot/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useForm } from '@fairlot/ui/use-form.ts'
import { useSubmit } from '../../../live/requests/use-submit.ts'
import { readAmount } from '../amount-text.ts'
import { sendWithdrawal } from '../payment-queries.ts'

type WithdrawValues = { amount: string; memo: string; method: string; authCode: string }

const EMPTY = { amount: '', memo: '', method: '', authCode: '' }
const REFUSED = {
  amountMalformed: 'amount',
  amountInvalid: 'amount',
  notEnoughMoney: 'amount',
  amountBelowMinimum: 'amount',
  amountAboveMaximum: 'amount',
  amountBelowFee: 'amount',
  payoutDayLimitReached: 'amount',
  methodNotFound: 'method',
  methodTooNew: 'method',
  secondFactorNeeded: 'authCode',
  secondFactorWrong: 'authCode',
} as const

type WithdrawOptions = {
  currency: PayoutCurrency
  /** Those of the currency. */
  methods: readonly ReceivingMethod[]
  onSent: (id: number) => void
}

/** A withdrawal as it is typed. Whoever has bound nothing yet is led to where that is done. */
export function useWithdrawForm({ currency, methods, onSent }: WithdrawOptions) {
  const t = useTranslations('payments')
  const form = useForm<WithdrawValues>(() => EMPTY)
  const [needsCode, setNeedsCode] = useState(false)
  const [needsMethod, setNeedsMethod] = useState(false)
  // The chosen one may be of another currency by now, or gone.
  const ids = methods.map(({ id }) => String(id))
  const method = ids.includes(form.values.method) ? form.values.method : (ids[0] ?? '')
  const submit = useSubmit({
    form,
    check: ({ amount, authCode }) => ({
      ...(readAmount(amount) === null && { amount: t('enterAmount') }),
      ...(method === '' && { method: t('chooseMethod') }),
      ...(needsCode && authCode.trim() === '' && { authCode: t('enterCode') }),
    }),
    send: ({ amount, memo, authCode }) =>
      sendWithdrawal({
        ...{ currencyId: currency.id, methodId: Number(method), memo, authCode: authCode.trim() || null },
        amount: readAmount(amount) ?? money(0n),
      }),
    fields: REFUSED,
    onRefused: ({ reason }) => {
      if (reason === 'secondFactorNeeded') setNeedsCode(true)
      return false
    },
    onDone: onSent,
  })
  const onSubmit: typeof submit.onSubmit = (event) => {
    if (methods.length === 0) setNeedsMethod(true)
    submit.onSubmit(event)
  }
  const closeDialog = () => setNeedsMethod(false)
  return { form, onSubmit, isBusy: submit.isBusy, needsCode, needsMethod, method, closeDialog }
}
