import type { PayoutCurrency, ReceivingMethod } from '@fairlot/contract'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '@fairlot/ui/button.tsx'
import { Card } from '@fairlot/ui/card.tsx'
import { TextField } from '@fairlot/ui/field.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/form-frame.tsx'
import { AmountField } from '../amount-field.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { usePayoutCurrencies, useReceivingMethods, type Way } from '../payment-queries.ts'
import { AuthCodeField, CurrencyField, NoCurrency } from '../payout-fields.tsx'
import { MethodField } from './method-field.tsx'
import { PayoutSummary } from './payout-summary.tsx'
import { useLeftToday } from '../use-left-today.ts'
import { useMostOut } from './use-most-out.ts'
import { useWithdrawForm } from './use-withdraw-form.ts'

type WithdrawFormProps = { kind: Way; onSent: (id: number) => void }

/** Currency, method, amount; the fee and what arrives stand there before anything is sent. */
export function WithdrawForm({ kind, onSent }: WithdrawFormProps) {
  const currencies = usePayoutCurrencies(kind)
  const methods = useReceivingMethods(kind)
  const [id, setId] = useState<string | null>(null)
  return (
    <Loaded query={currencies}>
      {(all) => {
        const currency = all.find((each) => String(each.id) === id) ?? all[0]
        if (!currency) return <NoCurrency />
        return (
          <Loaded query={methods}>
            {(bound) => (
              <CurrencyForm
                kind={kind}
                currency={currency}
                methods={bound.filter(({ currencyId }) => currencyId === currency.id)}
                onSent={onSent}
              >
                <CurrencyField value={String(currency.id)} currencies={all} onChange={setId} />
              </CurrencyForm>
            )}
          </Loaded>
        )
      }}
    </Loaded>
  )
}

type CurrencyFormProps = WithdrawFormProps & {
  currency: PayoutCurrency
  methods: readonly ReceivingMethod[]
  children: React.ReactNode
}

function CurrencyForm({ kind, currency, methods, onSent, children }: CurrencyFormProps) {
  const t = useTranslations('payments')
  const { form, onSubmit, isBusy, needsCode, needsMethod, method, closeDialog } = useWithdrawForm({
    ...{ currency, methods, onSent },
  })
  const { values, problems, set } = form
  return (
    <>
      <Card>
        <FormFrame form={form} onSubmit={onSubmit}>
          {children}
          <MethodField
            {...{ kind, methods, needsMethod, closeDialog }}
            value={method}
            problem={problems.method}
            onChange={(chosen) => set({ method: chosen })}
          />
          <AmountField
            label={t('amount')}
            value={values.amount}
            hint={[useMostOut(), useLeftToday(currency.leftToday)].filter(Boolean).join(' · ')}
            problem={problems.amount}
            onChange={(amount) => set({ amount })}
          />
          <TextField
            label={t('memo')}
            value={values.memo}
            maxLength={200}
            problem={problems.memo}
            onChange={(memo) => set({ memo })}
          />
          {needsCode && (
            <AuthCodeField
              value={values.authCode}
              problem={problems.authCode}
              onChange={(authCode) => set({ authCode })}
            />
          )}
          <PayoutSummary currency={currency} amount={values.amount} />
          <FormNote text={form.note} />
          <Button type="submit" isWide isBusy={isBusy}>
            {t('send')}
          </Button>
          <p className="text-note text-second">{t('promise')}</p>
        </FormFrame>
      </Card>
    </>
  )
}
