import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useForm } from '@fairlot/ui/use-form.ts'
import { useSubmit } from '../../../live/requests/use-submit.ts'
import { bindMethod, type Way } from '../payment-queries.ts'

const EMPTY = {
  ...{ currency: '', address: '', bankName: '', bankAddress: '', bic: '', payeeName: '', payeeAccount: '' },
  ...{ routeNumber: '', payeeAddress: '', postCode: '', iban: '', password: '', authCode: '' },
}

/** A receiving method as it is typed, and the proof that it is the user who binds it. */
export type BindValues = typeof EMPTY & { accountType: 'checking' | 'savings' }

const REFUSED = {
  coinAddressInvalid: 'address',
  ibanInvalid: 'iban',
  bicInvalid: 'bic',
  bankAccountInvalid: 'payeeAccount',
  passwordWrong: 'password',
  secondFactorNeeded: 'authCode',
  secondFactorWrong: 'authCode',
} as const

type BindOptions = { kind: Way; first: number; onDone: () => void }

/** Where a second factor is on its code is asked for in place of the password. */
export function useBindForm({ kind, first, onDone }: BindOptions) {
  const t = useTranslations('payments')
  const [needsCode, setNeedsCode] = useState(false)
  const form = useForm<BindValues>(() => ({ ...EMPTY, currency: String(first), accountType: 'checking' }))
  const missing = (values: BindValues) => {
    if (kind === 'coin') return values.address.trim() === '' ? { address: t('fillIn') } : {}
    return {
      ...(values.payeeName.trim() === '' && { payeeName: t('fillIn') }),
      ...(values.bankName.trim() === '' && { bankName: t('fillIn') }),
      ...(values.iban.trim() === '' && values.payeeAccount.trim() === '' && { iban: t('ibanOrAccount') }),
    }
  }
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: (values) => ({
      ...missing(values),
      ...(needsCode && values.authCode.trim() === '' && { authCode: t('enterCode') }),
      ...(!needsCode && values.password === '' && { password: t('enterPassword') }),
    }),
    send: ({ currency, accountType, authCode, password, ...details }) =>
      bindMethod({
        ...details,
        ...{ kind, currencyId: Number(currency), accountType: kind === 'bank' ? accountType : null },
        ...{ password: needsCode ? null : password, authCode: needsCode ? authCode.trim() : null },
      }),
    fields: REFUSED,
    onRefused: ({ reason }) => {
      if (reason === 'secondFactorNeeded') setNeedsCode(true)
      return false
    },
    onDone,
  })
  return { form, onSubmit, isBusy, needsCode }
}
