import { Landmark } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { PayoutCurrency, ReceivingMethod } from '@fairlot/contract'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { SelectField } from '@fairlot/ui/forms/select-field.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { asName } from '@fairlot/ui/figures/names.tsx'
import type { PaymentKind } from './payment-queries.ts'

/** The path of the screen that adds a receiving method, which takes the kind as a number. */
export const addMethodPath = (kind: PaymentKind): string =>
  `/mine/withdraw-way?type=${kind === 'coin' ? 1 : 2}`

/** Shown in place of a form when there is no currency for payouts. */
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

/** The currency of a payout. */
export function CurrencyField({ value, currencies, onChange }: CurrencyFieldProps) {
  const t = useTranslations('payments')
  const options = currencies.map((each) => ({ value: String(each.id), label: asName(currencyName(each)) }))
  return <SelectField label={t('currency')} value={value} options={options} onChange={onChange} />
}

const ENDS = 6

/** Long addresses keep their first and last characters. */
const shortened = (text: string): string =>
  text.length > 3 * ENDS ? `${text.slice(0, ENDS)}…${text.slice(-ENDS)}` : text

/** The name of a currency, for a coin with its network. */
export const currencyName = ({ code, network }: { code: string; network: string }): string =>
  network === '' ? code : `${code} · ${network}`

/** A receiving method in one line. */
export function methodName({ address, tag, bankName, iban, payeeAccount }: ReceivingMethod): string {
  if (address !== '') return [shortened(address), tag].filter((part) => part !== '').join(' · ')
  return [bankName, shortened(iban || payeeAccount)].filter((part) => part !== '').join(' · ')
}
