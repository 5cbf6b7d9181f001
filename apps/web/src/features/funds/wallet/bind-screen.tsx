import type { PayoutCurrency } from '@fairlot/contract'
import { navigate, useSearchParams } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { Button } from '@fairlot/ui/button.tsx'
import { Card } from '@fairlot/ui/card.tsx'
import { TextField } from '@fairlot/ui/field.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/form-frame.tsx'
import { PasswordField } from '@fairlot/ui/password-field.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { PaymentScreen } from '../payment-screen.tsx'
import { usePayoutCurrencies, type Way } from '../payment-queries.ts'
import { AuthCodeField, CurrencyField, NoCurrency } from '../payout-fields.tsx'
import { BankFields } from './bank-fields.tsx'
import { useBindForm } from './use-bind-form.ts'

/** Binds a coin address or a bank account: `type` in its address says which. */
export function BindScreen() {
  const [search] = useSearchParams()
  const kind: Way = search.get('type') === '2' ? 'bank' : 'coin'
  return (
    <PaymentScreen>
      <Loaded query={usePayoutCurrencies(kind)}>
        {(currencies) =>
          currencies.length === 0 ? (
            <NoCurrency />
          ) : (
            <BindForm key={kind} kind={kind} currencies={currencies} />
          )
        }
      </Loaded>
    </PaymentScreen>
  )
}

const LISTS = { coin: '/mine/coin-address-list', bank: '/mine/bank-card-list' } as const

function BindForm({ kind, currencies }: { kind: Way; currencies: readonly PayoutCurrency[] }) {
  const t = useTranslations('payments')
  const onDone = () => navigate(LISTS[kind], { replace: true })
  const { form, onSubmit, isBusy, needsCode } = useBindForm({ kind, first: currencies[0]?.id ?? 0, onDone })
  const { values, problems, set } = form
  return (
    <Card>
      <FormFrame form={form} onSubmit={onSubmit}>
        <CurrencyField
          value={values.currency}
          currencies={currencies}
          onChange={(currency) => set({ currency })}
        />
        {kind === 'coin' ? (
          <TextField
            label={t('coinAddress')}
            value={values.address}
            maxLength={200}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
            problem={problems.address}
            onChange={(address) => set({ address })}
          />
        ) : (
          <BankFields values={values} problems={problems} onChange={set} />
        )}
        {needsCode ? (
          <AuthCodeField
            value={values.authCode}
            problem={problems.authCode}
            onChange={(authCode) => set({ authCode })}
          />
        ) : (
          <PasswordField
            label={t('password')}
            value={values.password}
            autoComplete="current-password"
            showLabel={t('showPassword')}
            hideLabel={t('hidePassword')}
            problem={problems.password}
            onChange={(password) => set({ password })}
          />
        )}
        <FormNote text={form.note} />
        <Button type="submit" isWide isBusy={isBusy}>
          {t('bind')}
        </Button>
        <p className="text-note text-second">{t('bindText')}</p>
      </FormFrame>
    </Card>
  )
}
