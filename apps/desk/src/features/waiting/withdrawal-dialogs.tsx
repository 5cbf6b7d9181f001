import {
  approveWithdrawal,
  findReference,
  payWithdrawal,
  refuseWithdrawal,
  type PaymentDetail,
} from '@fairlot/contract/desk'
import { TextField } from '@fairlot/ui/field.tsx'
import { useState } from 'react'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'

type WithdrawalDialogProps = { id: number; onClose: () => void }
type WithPayment = { payment: PaymentDetail }
type Ending = { onDone: () => void }

const changesOf = ({ received, payTo }: PaymentDetail) => [
  { label: 'Pays', before: 'nothing', after: received },
  { label: 'To', before: 'nobody', after: payTo },
]

/** The case stays: it is paid next. */
export const ApproveDialog = ({ id, payment, onClose }: WithdrawalDialogProps & WithPayment) => (
  <ReasonDialog
    title={`Approve withdrawal ${id}`}
    text="From then on the person cannot take it back. Above the limit somebody else has to pay it."
    endpoint={approveWithdrawal}
    inputOf={(reason) => ({ id, reason })}
    changes={changesOf(payment)}
    sendLabel="Approve"
    done="Approved. It waits to be paid."
    topics={['waiting']}
    onClose={onClose}
  />
)

export function PayDialog({ id, payment, onDone, onClose }: WithdrawalDialogProps & WithPayment & Ending) {
  const [reference, setReference] = useState('')
  const asked = useDeskQuery(
    findReference,
    { id, reference: reference.trim() },
    { isOn: reference.trim() !== '' },
  )
  const same = asked.data?.cases ?? []
  return (
    <ReasonDialog
      title={`Withdrawal ${id} is paid`}
      text="Pay it first, then write its transaction number here: the person finds the payment by it."
      endpoint={payWithdrawal}
      inputOf={(reason) => ({ id, reference: reference.trim(), reason })}
      check={() => (reference.trim() === '' ? 'Write the transaction number above.' : null)}
      changes={changesOf(payment)}
      sendLabel="It is paid"
      done="Paid."
      topics={['waiting']}
      onDone={onDone}
      onClose={onClose}
    >
      <TextField
        label="Transaction number"
        value={reference}
        autoComplete="off"
        dir="ltr"
        onChange={setReference}
      />
      {same.length > 0 && (
        <p role="status" className="text-note text-down">
          {same.map(({ title }) => title).join(', ')} {same.length === 1 ? 'has' : 'have'} this number
          already.
        </p>
      )}
    </ReasonDialog>
  )
}

export const RejectDialog = ({ id, onDone, onClose }: WithdrawalDialogProps & Ending) => (
  <ReasonDialog
    title={`Reject withdrawal ${id}`}
    text="The whole amount is free again at once. The person reads the reason."
    endpoint={refuseWithdrawal}
    inputOf={(reason) => ({ id, reason })}
    sendLabel="Reject"
    tone="danger"
    done="Rejected."
    topics={['waiting']}
    onDone={onDone}
    onClose={onClose}
  />
)
