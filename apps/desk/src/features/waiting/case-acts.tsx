import {
  decideAdjustment,
  decideApproval,
  withdrawApproval,
  type WaitingDetail,
} from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { useHotkey } from '@fairlot/ui/use-hotkey.ts'
import { useState } from 'react'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { IdentityActs } from './identity-acts.tsx'
import { DepositActs, WithdrawalActs } from './payment-acts.tsx'
import { amountText } from './waiting-columns.tsx'

type CaseActsProps = { open: WaitingDetail; isOver: boolean; onDone: () => void }
type Asking = 'approve' | 'refuse' | 'withdraw'

/** The two acts at the foot of a case, by `a` and `r`; taking back for whoever asked. */
export function CaseActs({ open, isOver, onDone }: CaseActsProps) {
  const [asking, setAsking] = useState<Asking | null>(null)
  const mayDecide = open.barrier === null && open.decision !== 'elsewhere' && !isOver
  const { decision } = open
  const isYesOrNo = mayDecide && (decision === 'adjustment' || decision === 'approval')
  useHotkey(isYesOrNo ? 'a' : null, () => setAsking('approve'))
  useHotkey(isYesOrNo ? 'r' : null, () => setAsking('refuse'))
  const dialog = asking && (
    <DecisionDialog open={open} asking={asking} onDone={onDone} onClose={() => setAsking(null)} />
  )
  if (isOver) return null
  if (open.mayWithdraw)
    return (
      <>
        <Button tone="outline" onClick={() => setAsking('withdraw')}>
          Take it back…
        </Button>
        {dialog}
      </>
    )
  if (!mayDecide) return <Barrier open={open} />
  // It is answered where it is read.
  if (decision === 'chat') return null
  if (decision === 'deposit') return <DepositActs open={open} onDone={onDone} />
  if (decision === 'withdrawal') return <WithdrawalActs open={open} onDone={onDone} />
  if (decision === 'identity') return <IdentityActs open={open} onDone={onDone} />
  return (
    <>
      <Button tone="outline" aria-keyshortcuts="r" onClick={() => setAsking('refuse')}>
        Refuse…
      </Button>
      <Button aria-keyshortcuts="a" onClick={() => setAsking('approve')}>
        Approve {amountText(open.case).replace('+', '')}
      </Button>
      {dialog}
    </>
  )
}

const BARRIERS: Readonly<Record<string, string>> = {
  sameOperator: 'You asked for this: somebody else decides.',
  roleRefused: 'Your role does not decide this.',
  caseHeld: 'Somebody else has this case: take it over first.',
}

const Barrier = ({ open }: { open: WaitingDetail }) => (
  <p className="text-note text-second">{BARRIERS[open.barrier ?? ''] ?? 'This is decided elsewhere.'}</p>
)

type DecisionDialogProps = { open: WaitingDetail; asking: Asking; onDone: () => void; onClose: () => void }

const WORDS = {
  approve: { title: 'Approve', label: 'Approve', tone: 'ink', done: 'Approved.' },
  refuse: { title: 'Refuse', label: 'Refuse', tone: 'danger', done: 'Refused.' },
  withdraw: { title: 'Take back', label: 'Take it back', tone: 'ink', done: 'Taken back.' },
} as const

function DecisionDialog({ open, asking, onDone, onClose }: DecisionDialogProps) {
  const { title, label, tone, done } = WORDS[asking]
  const { case: row, changes, decision } = open
  const id = open.approvalId ?? Number(row.caseKey.split(':')[1])
  const amount = amountText(row)
  const frame = {
    ...{ title: `${title} ${row.title}`, sendLabel: label, tone, done, onDone, onClose },
    ...(row.accountId !== null && { text: 'The person it concerns reads who, when and why.' }),
    changes:
      asking === 'approve'
        ? [
            ...(amount === '' ? [] : [{ label: 'Amount', before: 'not booked', after: amount }]),
            ...changes.map((each) => ({
              label: each.field,
              before: each.before ?? 'nothing',
              after: each.after ?? 'nothing',
            })),
          ]
        : [],
  }
  const isApproved = asking === 'approve'
  if (asking === 'withdraw')
    return <ReasonDialog {...frame} endpoint={withdrawApproval} inputOf={(reason) => ({ id, reason })} />
  return (
    <ReasonDialog
      {...frame}
      endpoint={decision === 'adjustment' ? decideAdjustment : decideApproval}
      inputOf={(reason) => ({ id, isApproved, reason })}
    />
  )
}
