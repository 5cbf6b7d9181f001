import {
  approveWithdrawal,
  type CreditPreview,
  DESK_FILE_PATH,
  findReference,
  finishDeposit,
  getPayment,
  type PaymentDetail,
  payWithdrawal,
  previewCredit,
  refuseDeposit,
  refuseWithdrawal,
  startPayment,
  type WaitingDetail,
} from '@fairlot/contract/desk'
import type { Money } from '@fairlot/core'
import { fromUnits, parseDecimal } from '@fairlot/core/decimal'
import { RATE_DECIMALS, SENT_DECIMALS } from '@fairlot/core/number'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { NumberField } from '@fairlot/ui/forms/number-field.tsx'
import { useHotkey } from '@fairlot/ui/hooks/use-hotkey.ts'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { useState } from 'react'
import { decimal, exactMoney } from '../../i18n/figures.ts'
import { momentOfField } from '../../i18n/moments.ts'
import { useKeptState } from '../../live/kept-input.ts'
import { useDeskQuery } from '../../live/queries.ts'
import { PrivatePicture } from '../../ui/private-picture.tsx'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { TitledBox } from '../../ui/split-view.tsx'

type PaymentActionsProps = { open: WaitingDetail; onDone: () => void }

const numberOf = ({ case: { caseKey } }: WaitingDetail): number => Number(caseKey.split(':')[1])

/** Credits a deposit (key `a`), rejects it (`r`) or marks it as invalid. */
export function DepositActions({ open, onDone }: PaymentActionsProps) {
  const [openDialog, setOpenDialog] = useState<'credit' | 'rejected' | 'invalid' | null>(null)
  useHotkey('a', () => setOpenDialog('credit'))
  useHotkey('r', () => setOpenDialog('rejected'))
  const dialogProps = { id: numberOf(open), onDone, onClose: () => setOpenDialog(null) }
  return (
    <>
      <Button tone="outline" onClick={() => setOpenDialog('invalid')}>
        Invalid…
      </Button>
      <Button tone="outline" aria-keyshortcuts="r" onClick={() => setOpenDialog('rejected')}>
        Reject…
      </Button>
      <Button aria-keyshortcuts="a" onClick={() => setOpenDialog('credit')}>
        Credit…
      </Button>
      {openDialog === 'credit' && <CreditDialog {...dialogProps} reported={open.case.amount} />}
      {(openDialog === 'rejected' || openDialog === 'invalid') && (
        <RejectDepositDialog {...dialogProps} outcome={openDialog} />
      )}
    </>
  )
}

/** Approves a withdrawal, then marks it as paid (key `a`); until it is paid it can be rejected (`r`). */
export function WithdrawalActions({ open, onDone }: PaymentActionsProps) {
  const id = numberOf(open)
  const { data: payment } = useDeskQuery(getPayment, { id }, { topics: ['waiting'] })
  const [openDialog, setOpenDialog] = useState<'next' | 'reject' | 'start' | null>(null)
  useHotkey(payment ? 'a' : null, () => setOpenDialog('next'))
  useHotkey('r', () => setOpenDialog('reject'))
  const dialogProps = { id, onClose: () => setOpenDialog(null) }
  return (
    <>
      <Button tone="outline" aria-keyshortcuts="r" onClick={() => setOpenDialog('reject')}>
        Reject…
      </Button>
      {payment?.isApproved && !payment.isPaying && (
        <Button tone="outline" onClick={() => setOpenDialog('start')}>
          Start paying…
        </Button>
      )}
      {payment && (
        <Button aria-keyshortcuts="a" onClick={() => setOpenDialog('next')}>
          {payment.isApproved ? 'Mark as paid…' : 'Approve…'}
        </Button>
      )}
      {openDialog === 'reject' && (
        <RejectDialog {...dialogProps} isApproved={payment?.isApproved ?? false} onDone={onDone} />
      )}
      {openDialog === 'start' && payment && <StartDialog {...dialogProps} payment={payment} />}
      {openDialog === 'next' &&
        payment &&
        (payment.isApproved ? (
          <PayDialog {...dialogProps} payment={payment} onDone={onDone} />
        ) : (
          <ApproveDialog {...dialogProps} payment={payment} />
        ))}
    </>
  )
}

/** The picture that proves a transfer. */
export function ProofView({ id }: { id: number }) {
  const key = useDeskQuery(getPayment, { id }).data?.proof ?? null
  if (key === null) return null
  return (
    <TitledBox title="Proof of the transfer">
      <PrivatePicture path={`${DESK_FILE_PATH}${key}`} alt="Proof of the transfer" isRotatable />
    </TitledBox>
  )
}

type DepositDialogProps = { id: number; onDone: () => void; onClose: () => void }

function readSent(text: string): bigint | null {
  const units = parseDecimal(text, SENT_DECIMALS)
  return units === null || units <= 0n ? null : units
}

/** Credits the amount received. The operator enters it; it is never filled in from the user's report. */
function CreditDialog({ id, reported, onDone, onClose }: DepositDialogProps & { reported: Money | null }) {
  const [text, setText] = useKeptState(`credit ${id}`, '')
  const [arrival, setArrival] = useKeptState(`credit ${id} arrival`, '')
  const { data: payment } = useDeskQuery(getPayment, { id }, { topics: ['waiting'] })
  const amount = readSent(text)
  const arrivedAt = momentOfField(arrival)
  const { data, problem } = useDeskQuery(
    previewCredit,
    { id, amount: amount ?? 0n, arrivedAt },
    // The current rate moves until the deposit is credited.
    { isOn: amount !== null, refreshMs: 2_000 },
  )
  const credit = amount === null ? undefined : data
  return (
    <ReasonDialog
      title={`Credit deposit ${asName(id)}`}
      text="Enter the amount received, in the currency that was sent. It is credited once, at the rate of the time it arrived."
      endpoint={finishDeposit}
      inputOf={(reason) => ({ id, amount: amount ?? 0n, arrivedAt, reason })}
      check={() => (amount === null ? 'Enter the amount received above, such as 499.50.' : null)}
      changes={[
        ...(credit ? [{ label: 'Rate', before: rateNowOf(credit), after: rateOf(credit) }] : []),
        {
          label: 'Credited',
          before: reported === null ? 'none' : `${exactMoney(reported)} reported`,
          after: credit ? `${exactMoney(credit.credited)} ${credit.accountCurrency}` : '…',
        },
      ]}
      submitLabel="Credit"
      done="Credited."
      onDone={onDone}
      onClose={onClose}
    >
      <NumberField
        label={`Amount received${payment?.currency ? `, in ${payment.currency}` : ''}`}
        value={text}
        problem={amount === null ? null : problem}
        onChange={setText}
      />
      <TextField
        label="Received at (UTC)"
        type="datetime-local"
        value={arrival}
        hint="Leave empty for now. Any time since the user’s report; the rate of that minute applies."
        onChange={setArrival}
      />
      {credit?.needsSecond && (
        <p role="status" className="rounded-card bg-brass-tint px-3.5 py-3 text-note">
          This needs a second operator: nothing is credited until they approve.
        </p>
      )}
    </ReasonDialog>
  )
}

const rateText = (rate: bigint): string => decimal(fromUnits(rate, RATE_DECIMALS))

const rateOf = ({ currency, accountCurrency, rate, isRateFixed }: CreditPreview): string =>
  rate === null
    ? 'none: account currency'
    : `1 ${currency} = ${rateText(rate)} ${accountCurrency}${isRateFixed ? ', fixed' : ''}`

const rateNowOf = ({ rateNow }: CreditPreview): string =>
  rateNow === null ? 'no market price' : `${rateText(rateNow)} now`

const OUTCOMES = {
  rejected: { titleOf: (id: number) => `Reject deposit ${asName(id)}`, label: 'Reject', done: 'Rejected.' },
  invalid: {
    titleOf: (id: number) => `Mark deposit ${asName(id)} as invalid`,
    label: 'Mark as invalid',
    done: 'Marked as invalid.',
  },
} as const

function RejectDepositDialog({
  id,
  outcome,
  onDone,
  onClose,
}: DepositDialogProps & { outcome: 'rejected' | 'invalid' }) {
  const { titleOf, label, done } = OUTCOMES[outcome]
  return (
    <ReasonDialog
      title={titleOf(id)}
      text="Nothing is credited. The user sees the reason."
      endpoint={refuseDeposit}
      inputOf={(reason) => ({ id, outcome, reason })}
      submitLabel={label}
      tone="danger"
      done={done}
      onDone={onDone}
      onClose={onClose}
    />
  )
}

type WithdrawalDialogProps = { id: number; onClose: () => void }
type WithPayment = { payment: PaymentDetail }
type WithDone = { onDone: () => void }

const changesOf = ({ received, payTo }: PaymentDetail) => [
  { label: 'Amount paid', before: 'none', after: asName(received) },
  { label: 'Paid to', before: 'none', after: asName(payTo) },
]

/** The case stays open for the payment. */
const ApproveDialog = ({ id, payment, onClose }: WithdrawalDialogProps & WithPayment) => (
  <ReasonDialog
    title={`Approve withdrawal ${asName(id)}`}
    text="The user can then no longer cancel it. Another operator pays it."
    endpoint={approveWithdrawal}
    inputOf={(reason) => ({ id, reason })}
    changes={changesOf(payment)}
    submitLabel="Approve"
    done="Approved. Waiting for payment."
    topics={['waiting']}
    onClose={onClose}
  />
)

/** Marks the withdrawal as being paid; afterwards a rejection needs two operators. */
const StartDialog = ({ id, payment, onClose }: WithdrawalDialogProps & WithPayment) => (
  <ReasonDialog
    title={`Start paying withdrawal ${asName(id)}`}
    text="Do this before you send the money. Afterwards it can only be marked as paid, or rejected by two operators."
    endpoint={startPayment}
    inputOf={(reason) => ({ id, reason })}
    changes={changesOf(payment)}
    submitLabel="Start paying"
    done="The user sees that it is being paid."
    topics={['waiting']}
    onClose={onClose}
  />
)

function PayDialog({ id, payment, onDone, onClose }: WithdrawalDialogProps & WithPayment & WithDone) {
  const [reference, setReference] = useKeptState(`paid ${id}`, '')
  const found = useDeskQuery(
    findReference,
    { id, reference: reference.trim() },
    { isOn: reference.trim() !== '' },
  )
  const same = found.data?.cases ?? []
  return (
    <ReasonDialog
      title={`Mark withdrawal ${asName(id)} as paid`}
      text="Send the payment first, then enter its transaction number, by which the user can find it."
      endpoint={payWithdrawal}
      inputOf={(reason) => ({ id, reference: reference.trim(), reason })}
      check={() => (reference.trim() === '' ? 'Enter the transaction number above.' : null)}
      changes={changesOf(payment)}
      submitLabel="Mark as paid"
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

type RejectDialogProps = WithdrawalDialogProps & WithDone & { isApproved: boolean }

/** An approved withdrawal may already be paid, so a second operator must approve its rejection. */
const RejectDialog = ({ id, isApproved, onDone, onClose }: RejectDialogProps) => (
  <ReasonDialog
    title={`Reject withdrawal ${asName(id)}`}
    text={
      isApproved
        ? 'It is approved and may have been paid, so a second operator must decide. The user sees the reason.'
        : 'The full amount is available again at once. The user sees the reason.'
    }
    endpoint={refuseWithdrawal}
    inputOf={(reason) => ({ id, reason })}
    submitLabel={isApproved ? 'Request the rejection' : 'Reject'}
    tone="danger"
    done={isApproved ? 'A second operator must approve the rejection.' : 'Rejected.'}
    topics={['waiting']}
    onDone={onDone}
    onClose={onClose}
  />
)
