import type { WaitingDetail } from '@fairlot/contract/desk'
import { getPayment } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { useHotkey } from '@fairlot/ui/use-hotkey.ts'
import { useState } from 'react'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { CreditDialog, RefuseDepositDialog } from './deposit-dialogs.tsx'
import { ApproveDialog, PayDialog, RejectDialog } from './withdrawal-dialogs.tsx'

type PaymentActsProps = { open: WaitingDetail; onDone: () => void }

const numberOf = ({ case: { caseKey } }: WaitingDetail): number => Number(caseKey.split(':')[1])

/** A deposit is credited at what has arrived, rejected, or invalid; by `a` and `r`. */
export function DepositActs({ open, onDone }: PaymentActsProps) {
  const [asking, setAsking] = useState<'credit' | 'rejected' | 'invalid' | null>(null)
  useHotkey('a', () => setAsking('credit'))
  useHotkey('r', () => setAsking('rejected'))
  const frame = { id: numberOf(open), onDone, onClose: () => setAsking(null) }
  return (
    <>
      <Button tone="outline" onClick={() => setAsking('invalid')}>
        Invalid…
      </Button>
      <Button tone="outline" aria-keyshortcuts="r" onClick={() => setAsking('rejected')}>
        Reject…
      </Button>
      <Button aria-keyshortcuts="a" onClick={() => setAsking('credit')}>
        Credit…
      </Button>
      {asking === 'credit' && <CreditDialog {...frame} told={open.case.amount} />}
      {(asking === 'rejected' || asking === 'invalid') && <RefuseDepositDialog {...frame} outcome={asking} />}
    </>
  )
}

/** A withdrawal is approved, then paid; until then it can be rejected; by `a` and `r`. */
export function WithdrawalActs({ open, onDone }: PaymentActsProps) {
  const id = numberOf(open)
  const { data: payment } = useDeskQuery(getPayment, { id }, { topics: ['waiting'] })
  const [asking, setAsking] = useState<'next' | 'reject' | null>(null)
  useHotkey(payment ? 'a' : null, () => setAsking('next'))
  useHotkey('r', () => setAsking('reject'))
  const frame = { id, onClose: () => setAsking(null) }
  return (
    <>
      <Button tone="outline" aria-keyshortcuts="r" onClick={() => setAsking('reject')}>
        Reject…
      </Button>
      {payment && (
        <Button aria-keyshortcuts="a" onClick={() => setAsking('next')}>
          {payment.isApproved ? 'Paid…' : 'Approve…'}
        </Button>
      )}
      {asking === 'reject' && <RejectDialog {...frame} onDone={onDone} />}
      {asking === 'next' &&
        payment &&
        (payment.isApproved ? (
          <PayDialog {...frame} payment={payment} onDone={onDone} />
        ) : (
          <ApproveDialog {...frame} payment={payment} />
        ))}
    </>
  )
}
