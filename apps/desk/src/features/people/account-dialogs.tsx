import { askPersonAdjustment, CREDIT_SCORE_MAX, setCreditScore } from '@fairlot/contract/desk'
import type { Money } from '@fairlot/core'
import { parseDecimal } from '@fairlot/core/decimal'
import { MONEY_DECIMALS } from '@fairlot/core/number'
import { TextField } from '@fairlot/ui/field.tsx'
import { useState } from 'react'
import { money, signedMoney } from '../../i18n/figures.ts'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import type { PersonDialogProps } from './person-props.ts'

/** Sets the credit score. */
export function CreditScoreDialog({ person: { user }, onClose }: PersonDialogProps) {
  const [text, setText] = useState(String(user.creditScore))
  const score = /^\d{1,5}$/.test(text.trim()) ? Number(text) : null
  const isFit = score !== null && score <= CREDIT_SCORE_MAX && score !== user.creditScore
  return (
    <ReasonDialog
      title={`Credit score of ${user.uid}`}
      endpoint={setCreditScore}
      inputOf={(reason) => ({ id: user.id, before: user.creditScore, score: score ?? 0, reason })}
      changes={isFit ? [{ label: 'Credit score', before: user.creditScore, after: score }] : []}
      check={() => (isFit ? null : `Choose another whole number from 0 to ${CREDIT_SCORE_MAX}.`)}
      sendLabel="Set it"
      done="The credit score is set."
      onClose={onClose}
    >
      <TextField label="New score" value={text} inputMode="numeric" dir="ltr" onChange={setText} />
    </ReasonDialog>
  )
}

/** An amount as it is typed: a plus or minus, and a point before the decimals. */
const readAmount = (text: string): Money | null => {
  const plain = text.trim().replace('−', '-').replace(/^\+/, '')
  const units = /^-?\d+(\.\d+)?$/.test(plain) ? parseDecimal(plain, MONEY_DECIMALS) : null
  return units === 0n ? null : (units as Money | null)
}

/** Asks for a correction of the balance: another person decides. */
export function AdjustmentDialog({ person: { user, figures }, onClose }: PersonDialogProps) {
  const [text, setText] = useState('')
  const amount = readAmount(text)
  return (
    <ReasonDialog
      title={`Correct the balance of ${user.uid}`}
      text={`Nothing is booked before another person agrees, under Waiting. The balance is ${money(figures.balance)} now.`}
      endpoint={askPersonAdjustment}
      inputOf={(reason) => ({ id: user.id, amount: amount ?? (0n as Money), reason })}
      changes={
        amount === null
          ? []
          : [
              {
                label: `Balance, ${signedMoney(amount)}`,
                before: money(figures.balance),
                after: money(figures.balance + amount),
              },
            ]
      }
      check={() => (amount === null ? 'Write an amount such as 25.00 or -25.00 above.' : null)}
      needsSecond="always"
      sendLabel="Ask for it"
      done="It waits for another person, under Waiting."
      topics={['waiting']}
      onClose={onClose}
    >
      <TextField
        label="Amount, below zero to take"
        value={text}
        inputMode="text"
        dir="ltr"
        autoComplete="off"
        onChange={setText}
      />
    </ReasonDialog>
  )
}
