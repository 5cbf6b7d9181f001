import type { PayoutCurrency } from '@fairlot/contract'
import { Card } from '@fairlot/ui/card.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { TextField } from '@fairlot/ui/field.tsx'
import { SelectField } from '@fairlot/ui/select-field.tsx'
import { Landmark } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { currencyName } from './method-name.ts'

/** What stands in place of a form where nothing can be paid out to. */
export function NoCurrency() {
  const t = useTranslations('payments')
  return (
    <Card>
      <EmptyState icon={Landmark} title={t('noCurrency')} text={t('noCurrencyText')} />
    </Card>
  )
}

type CurrencyFieldProps = {
  /** The id, as text. */
  value: string
  currencies: readonly PayoutCurrency[]
  onChange: (id: string) => void
}

/** A currency that money is paid out in. */
export function CurrencyField({ value, currencies, onChange }: CurrencyFieldProps) {
  const t = useTranslations('payments')
  const options = currencies.map((each) => ({ value: String(each.id), label: currencyName(each) }))
  return <SelectField label={t('currency')} {...{ value, options, onChange }} />
}

type AuthCodeFieldProps = { value: string; problem: string | undefined; onChange: (code: string) => void }

/** The code of the second factor. */
export function AuthCodeField(props: AuthCodeFieldProps) {
  const t = useTranslations('payments')
  return (
    <TextField {...props} label={t('authCode')} inputMode="numeric" autoComplete="one-time-code" dir="ltr" />
  )
}
