import { finishDeposit, refuseDeposit } from '@fairlot/contract/desk'
import { parseDecimal } from '@fairlot/core/decimal'
import { MONEY_DECIMALS, money, NO_MONEY, type Money } from '@fairlot/core/number'
import { TextField } from '@fairlot/ui/field.tsx'
import { useState } from 'react'
import { exactMoney } from '../../i18n/figures.ts'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'

type DepositDialogProps = { id: number; onDone: () => void; onClose: () => void }

function readAmount(text: string): Money | null {
  const units = parseDecimal(text.trim(), MONEY_DECIMALS)
  return units === null || units <= 0n ? null : money(units)
}

/** What has arrived is what is credited: it is typed, never taken over from what the person told. */
export function CreditDialog({ id, told, onDone, onClose }: DepositDialogProps & { told: Money | null }) {
  const [text, setText] = useState('')
  const amount = readAmount(text)
  return (
    <ReasonDialog
      title={`Credit deposit ${id}`}
      text="Once, at what has arrived, in the account currency."
      endpoint={finishDeposit}
      inputOf={(reason) => ({ id, amount: amount ?? NO_MONEY, reason })}
      check={() => (amount === null ? 'Write what has arrived, such as 499.50, above.' : null)}
      changes={[
        {
          label: 'Credited',
          before: told === null ? 'nothing' : `${exactMoney(told)} told`,
          after: amount === null ? '…' : exactMoney(amount),
        },
      ]}
      sendLabel="Credit"
      done="Credited."
      onDone={onDone}
      onClose={onClose}
    >
      <TextField
        label="Has arrived"
        value={text}
        inputMode="decimal"
        autoComplete="off"
        dir="ltr"
        onChange={setText}
      />
    </ReasonDialog>
  )
}

const WORDS = {
  rejected: { title: 'Reject', done: 'Rejected.' },
  invalid: { title: 'Invalid:', done: 'Marked as invalid.' },
} as const

export function RefuseDepositDialog({
  id,
  outcome,
  onDone,
  onClose,
}: DepositDialogProps & { outcome: 'rejected' | 'invalid' }) {
  const { title, done } = WORDS[outcome]
  return (
    <ReasonDialog
      title={`${title} deposit ${id}`}
      text="Nothing is credited. The person reads the reason."
      endpoint={refuseDeposit}
      inputOf={(reason) => ({ id, outcome, reason })}
      sendLabel={outcome === 'rejected' ? 'Reject' : 'Mark as invalid'}
      tone="danger"
      done={done}
      onDone={onDone}
      onClose={onClose}
    />
  )
}
