import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Segmented } from '@fairlot/ui/segmented.tsx'
import { PaymentScreen } from '../payment-screen.tsx'
import { CardCharge } from './card-charge.tsx'
import { CoinCharge } from './coin-charge.tsx'
import { DepositList } from './deposit-list.tsx'
import { WireCharge } from './wire-charge.tsx'

const TABS = ['card', 'bank', 'coin'] as const
type Tab = (typeof TABS)[number]

/** The ways to pay in, and what came of earlier deposits. */
export function ChargeScreen() {
  const t = useTranslations('payments')
  const [tab, setTab] = useState<Tab>('coin')
  return (
    <PaymentScreen>
      <Segmented
        label={t('ways')}
        trough="surface"
        options={TABS.map((value) => ({ value, label: t(`way.${value}`) }))}
        value={tab}
        onChange={setTab}
      />
      {tab === 'card' && <CardCharge />}
      {tab === 'bank' && <WireCharge />}
      {tab === 'coin' && <CoinCharge />}
      {tab !== 'card' && <DepositList kind={tab} />}
    </PaymentScreen>
  )
}
