import {
  decideAdjustment,
  decideApproval,
  type WaitingDetail,
  withdrawApproval,
} from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { useHotkey } from '@fairlot/ui/hooks/use-hotkey.ts'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { useState } from 'react'
import { shownChanges } from '../../ui/change-list.tsx'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { IdentityActions } from './identity.tsx'
import { DepositActions, WithdrawalActions } from './payment-actions.tsx'
import { amountText } from './waiting-list.tsx'

type CaseActionsProps = {
  open: WaitingDetail
  isClosed: boolean
  onDone: () => void
  /** Receives the confirmation key that an approval created; it is shown after the case has closed. */
  onConfirmation: (confirmation: string) => void
}
type Decision = 'approve' | 'reject' | 'withdraw'

/** The decisions below a case: approve (key `a`) and reject (`r`), or withdraw for the operator who requested it. */
export function CaseActions({ open, isClosed, onDone, onConfirmation }: CaseActionsProps) {
  const [openDialog, setOpenDialog] = useState<Decision | null>(null)
  const mayDecide = open.barrier === null && open.decision !== 'elsewhere' && !isClosed
  const { decision } = open
  const isYesOrNo = mayDecide && (decision === 'adjustment' || decision === 'approval')
  useHotkey(isYesOrNo ? 'a' : null, () => setOpenDialog('approve'))
  useHotkey(isYesOrNo ? 'r' : null, () => setOpenDialog('reject'))
  const dialog = openDialog && (
    <DecisionDialog
      open={open}
      choice={openDialog}
      onDone={onDone}
      onConfirmation={onConfirmation}
      onClose={() => setOpenDialog(null)}
    />
  )
  if (isClosed) return null
  if (open.mayWithdraw)
    return (
      <>
        <Button tone="outline" onClick={() => setOpenDialog('withdraw')}>
          Withdraw…
        </Button>
        {dialog}
      </>
    )
  if (!mayDecide) return <Barrier open={open} />
  // A conversation is answered in its own panel.
  if (decision === 'chat') return null
  if (decision === 'deposit') return <DepositActions open={open} onDone={onDone} />
  if (decision === 'withdrawal') return <WithdrawalActions open={open} onDone={onDone} />
  if (decision === 'identity') return <IdentityActions open={open} onDone={onDone} />
  return (
    <>
      <Button tone="outline" aria-keyshortcuts="r" onClick={() => setOpenDialog('reject')}>
        Reject…
      </Button>
      <Button aria-keyshortcuts="a" onClick={() => setOpenDialog('approve')}>
        {`Approve ${asName(amountText(open.case).replace('+', ''))}`}
      </Button>
      {dialog}
    </>
  )
}

const BARRIERS: Readonly<Record<string, string>> = {
  sameOperator: 'You requested this, so another operator must decide.',
  roleRefused: 'Your role cannot decide this.',
  caseHeld: 'This case is assigned to another operator. Take it over first.',
}

const Barrier = ({ open }: { open: WaitingDetail }) => (
  <p className="text-note text-second">{BARRIERS[open.barrier ?? ''] ?? 'This is decided elsewhere.'}</p>
)

type DecisionDialogProps = Omit<CaseActionsProps, 'isClosed'> & { choice: Decision; onClose: () => void }

const DECISIONS = {
  approve: { title: 'Approve', label: 'Approve', tone: 'ink', done: 'Approved.' },
  reject: { title: 'Reject', label: 'Reject', tone: 'danger', done: 'Rejected.' },
  withdraw: { title: 'Withdraw', label: 'Withdraw', tone: 'ink', done: 'Withdrawn.' },
} as const

function DecisionDialog({ open, choice, onDone, onConfirmation, onClose }: DecisionDialogProps) {
  const { title, label, tone, done } = DECISIONS[choice]
  const { case: row, changes, decision } = open
  const id = open.approvalId ?? Number(row.caseKey.split(':')[1])
  const amount = amountText(row)
  const dialogProps = {
    title: `${title} ${row.title}`,
    submitLabel: label,
    tone,
    done,
    onDone,
    onClose,
    ...(row.accountId !== null && { text: 'The user sees who decided, when and why.' }),
    changes:
      choice === 'approve'
        ? [
            ...(amount === '' ? [] : [{ label: 'Amount', before: 'not booked', after: amount }]),
            ...shownChanges(changes),
          ]
        : [],
  }
  const isApproved = choice === 'approve'
  if (choice === 'withdraw')
    return (
      <ReasonDialog {...dialogProps} endpoint={withdrawApproval} inputOf={(reason) => ({ id, reason })} />
    )
  const inputOf = (reason: string) => ({ id, isApproved, reason })
  if (decision === 'adjustment')
    return <ReasonDialog {...dialogProps} endpoint={decideAdjustment} inputOf={inputOf} />
  return (
    <ReasonDialog
      {...dialogProps}
      endpoint={decideApproval}
      inputOf={inputOf}
      onDone={({ confirmation }) => {
        if (confirmation !== null) onConfirmation(confirmation)
        onDone()
      }}
    />
  )
}
