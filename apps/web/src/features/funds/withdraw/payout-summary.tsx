import type { PayoutCurrency } from '@fairlot/contract'
import { money, PAYOUT_DECIMALS, PAYOUT_PRICE_DECIMALS, payoutOf, toUnits } from '@fairlot/core'
import { useTranslations } from 'use-intl'
import { FactList } from '@fairlot/ui/fact-list.tsx'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { readAmount } from '../amount-text.ts'

/** Digits of what is paid out that are always shown; a coin has more where it needs them. */
const SHOWN = 2

/** The fee and what arrives, worked out as the server does. */
export function PayoutSummary({ currency, amount }: { currency: PayoutCurrency; amount: string }) {
  const t = useTranslations('payments')
  const { figures } = useLocale()
  const price = toUnits(currency.price, PAYOUT_PRICE_DECIMALS) ?? 0n
  const terms = { feeType: currency.feeType, feeRate: currency.feeRate, price }
  const { fee, received } = payoutOf(readAmount(amount) ?? money(0n), terms)
  const digits = String(received).padStart(PAYOUT_DECIMALS, '0').slice(-PAYOUT_DECIMALS).replace(/0+$/, '')
  const shown = figures.figure(received, PAYOUT_DECIMALS, { shown: Math.max(SHOWN, digits.length) })
  return (
    <FactList
      facts={[
        { label: t('fee'), value: <bdi dir="ltr">{figures.publicMoney(fee)}</bdi> },
        {
          label: t('expected'),
          value: (
            <bdi dir="ltr" className="text-title">
              {shown} {currency.code}
            </bdi>
          ),
        },
      ]}
    />
  )
}
