import { useState } from 'react'
import { useSearchParams } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { Segmented } from '@fairlot/ui/segmented.tsx'
import { PaymentScreen } from '../payment-screen.tsx'
import type { Way } from '../payment-queries.ts'
import { WithdrawForm } from './withdraw-form.tsx'
import { WithdrawalList } from './withdrawal-list.tsx'
import { WithdrawalRoad } from './withdrawal-road.tsx'

/** Asking for money to be paid out, and what came of earlier withdrawals; with a number in its address one of them. */
export function WithdrawScreen() {
  const [search, setSearch] = useSearchParams()
  const [kind, setKind] = useState<Way>('coin')
  const t = useTranslations('payments')
  const id = Number(search.get('id'))
  const open = (number: number) => setSearch({ id: String(number) })
  if (Number.isSafeInteger(id) && id > 0)
    return (
      <PaymentScreen>
        <WithdrawalRoad id={id} />
      </PaymentScreen>
    )
  return (
    <PaymentScreen>
      <Segmented
        label={t('to')}
        trough="surface"
        options={[
          { value: 'coin', label: t('toCoin') },
          { value: 'bank', label: t('toBank') },
        ]}
        value={kind}
        onChange={setKind}
      />
      <WithdrawForm key={kind} kind={kind} onSent={open} />
      <WithdrawalList kind={kind} />
    </PaymentScreen>
  )
}
