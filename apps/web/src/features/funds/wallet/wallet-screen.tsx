import { Coins, Landmark } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Card } from '@fairlot/ui/card.tsx'
import { ListLink } from '@fairlot/ui/list-link.tsx'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { PaymentScreen } from '../payment-screen.tsx'
import { useReceivingMethods } from '../payment-queries.ts'

/** Where withdrawals can go: what is bound, and where more is bound. */
export function WalletScreen() {
  const t = useTranslations('payments')
  const { figures } = useLocale()
  const count = (rows: readonly unknown[] | undefined) => rows && figures.count(rows.length)
  const coins = count(useReceivingMethods('coin').data)
  const banks = count(useReceivingMethods('bank').data)
  return (
    <PaymentScreen>
      <h2 className="mt-2 text-note text-second">{t('methods')}</h2>
      <Card>
        <div className="-my-3 divide-y divide-line">
          <ListLink icon={Coins} to="/mine/coin-address-list" title={t('coinAddresses')} value={coins} />
          <ListLink icon={Landmark} to="/mine/bank-card-list" title={t('bankAccounts')} value={banks} />
        </div>
      </Card>
      <p className="text-note text-second">{t('bindText')}</p>
    </PaymentScreen>
  )
}
