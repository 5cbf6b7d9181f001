import {
  requestAdjustment,
  CREDIT_SCORE_MAX,
  type DeskPermission,
  logUserOut,
  mayDo,
  ONE_OPERATOR,
  type UserProfile,
  resetUserSecondFactor,
  setCreditScore,
  setUserStatus,
  verifyPerson,
} from '@fairlot/contract/desk'
import type { Money } from '@fairlot/core'
import { parseDecimal } from '@fairlot/core/decimal'
import { MONEY_DECIMALS } from '@fairlot/core/number'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { NumberField } from '@fairlot/ui/forms/number-field.tsx'
import { SelectField } from '@fairlot/ui/forms/select-field.tsx'
import { Sheet } from '@fairlot/ui/overlays/sheet.tsx'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { type ComponentType, useState } from 'react'
import { money, signedMoney } from '../../i18n/figures.ts'
import { useKeptState } from '../../live/kept-input.ts'
import { useSelf } from '../../live/session.ts'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { STATUS_LABELS } from './user-labels.ts'
import type { UserDialogProps } from './user-props.ts'

type Status = UserProfile['status']

const OPTIONS: readonly { readonly value: Status; readonly label: string }[] = [
  { value: 'active', label: 'Active: no restriction' },
  { value: 'closeOnly', label: 'Close only: can close and withdraw, but not open' },
  { value: 'frozen', label: 'Frozen: can only close, tighten stops and withdraw' },
]

/** Restricts an account or lifts the restriction. The user sees the reason at once. */
function StatusDialog({ profile: { user, status: before }, onClose }: UserDialogProps) {
  const [status, setStatus] = useKeptState<Status>(
    `status ${user.id}`,
    before === 'active' ? 'closeOnly' : 'active',
  )
  return (
    <ReasonDialog
      title={`Change the status of user ${asName(user.uid)}`}
      text={`The user sees your role, the time and the reason at once. Stop orders and the stop-out stay active. Pending orders of a restricted account are cancelled. A freeze ends after ${ONE_OPERATOR.freezeHours} hours unless a second operator confirms it under Waiting; within ${ONE_OPERATOR.nextFreezeDays} days of its end another one waits there for a second operator.`}
      endpoint={setUserStatus}
      inputOf={(reason) => ({ id: user.id, before, status, reason })}
      changes={
        status === before
          ? []
          : [{ label: 'State', before: STATUS_LABELS[before], after: STATUS_LABELS[status] }]
      }
      check={() => (status === before ? 'This is the current state: choose another.' : null)}
      submitLabel={status === 'active' ? 'Lift the restriction' : 'Restrict'}
      tone={status === 'active' ? 'ink' : 'danger'}
      done={`Account status: ${STATUS_LABELS[status]}.`}
      onClose={onClose}
    >
      <SelectField label="Account status" value={status} options={OPTIONS} onChange={setStatus} />
    </ReasonDialog>
  )
}

/** Marks a user as verified, or revokes the verification. */
function VerifyDialog({ profile: { user }, onClose }: UserDialogProps) {
  const isVerified = user.identityCheck === 'verified'
  return (
    <ReasonDialog
      title={
        isVerified
          ? `Revoke the verification of user ${asName(user.uid)}`
          : `Verify user ${asName(user.uid)} without documents`
      }
      text={
        isVerified
          ? 'This user cannot withdraw until they are verified again. The user sees the reason.'
          : 'Use this only if no documents can be checked under Waiting, for example because you have seen them in the office. Withdrawals become possible once a second operator has approved. The user sees your role, the time and the reason.'
      }
      endpoint={verifyPerson}
      inputOf={(reason) => ({
        accountId: user.id,
        outcome: isVerified ? 'unverified' : 'verified',
        reason,
      })}
      changes={[
        {
          label: 'Identity',
          before: isVerified ? 'verified' : 'not verified',
          after: isVerified ? 'not verified' : 'verified',
        },
      ]}
      submitLabel={isVerified ? 'Revoke' : 'Request'}
      twoOperatorRule={isVerified ? null : 'verifyPerson'}
      tone={isVerified ? 'danger' : 'ink'}
      done={isVerified ? 'No longer verified.' : 'Verified.'}
      topics={['waiting']}
      onClose={onClose}
    />
  )
}

const LogOutDialog = ({ profile: { user }, onClose }: UserDialogProps) => (
  <ReasonDialog
    title={`Log user ${asName(user.uid)} out everywhere`}
    text="All sessions end at once. The user can log in again and sees why they were logged out."
    endpoint={logUserOut}
    inputOf={(reason) => ({ id: user.id, reason })}
    submitLabel="Log out"
    tone="danger"
    done="Logged out everywhere."
    onClose={onClose}
  />
)

/** Switches off the second factor of a user who lost it. */
const SecondFactorDialog = ({ profile: { user }, onClose }: UserDialogProps) => (
  <ReasonDialog
    title={`Reset the second factor of user ${asName(user.uid)}`}
    text="Log-ins then need only the password, and all sessions end. The user is notified by e-mail, with the reason. Make sure the request is really from the user."
    endpoint={resetUserSecondFactor}
    inputOf={(reason) => ({ id: user.id, reason })}
    changes={[{ label: 'Second factor', before: 'on', after: 'off' }]}
    submitLabel="Reset"
    tone="danger"
    done="Second factor reset."
    onClose={onClose}
  />
)

function CreditScoreDialog({ profile: { user }, onClose }: UserDialogProps) {
  // Null until the operator types: the field follows a score that somebody else sets meanwhile.
  const [typed, setTyped] = useKeptState<string | null>(`score ${user.id}`, null)
  const text = typed ?? String(user.creditScore)
  const score = /^\d{1,5}$/.test(text.trim()) ? Number(text) : null
  const isValid = score !== null && score <= CREDIT_SCORE_MAX && score !== user.creditScore
  return (
    <ReasonDialog
      title={`Credit score of user ${asName(user.uid)}`}
      endpoint={setCreditScore}
      inputOf={(reason) => ({ id: user.id, before: user.creditScore, score: score ?? 0, reason })}
      changes={isValid ? [{ label: 'Credit score', before: user.creditScore, after: score }] : []}
      check={() => (isValid ? null : `Enter a different whole number from 0 to ${CREDIT_SCORE_MAX}.`)}
      submitLabel="Set score"
      done="Credit score changed."
      onClose={onClose}
    >
      <TextField label="New score" value={text} inputMode="numeric" dir="ltr" onChange={setTyped} />
    </ReasonDialog>
  )
}

/** Reads an amount, which may be negative; null for zero or anything else. */
const readAmount = (text: string): Money | null =>
  ((parseDecimal(text, MONEY_DECIMALS) ?? 0n) || null) as Money | null

/** Requests an adjustment of the balance, which a second operator decides. */
function AdjustmentDialog({ profile: { user, figures }, onClose }: UserDialogProps) {
  const [text, setText] = useKeptState(`adjustment ${user.id}`, '')
  const amount = readAmount(text)
  return (
    <ReasonDialog
      title={`Adjust the balance of user ${asName(user.uid)}`}
      text={`Nothing is booked until a second operator approves it under Waiting. The current balance is ${asName(money(figures.balance))}.`}
      endpoint={requestAdjustment}
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
      check={() => (amount === null ? 'Enter an amount above, such as 25.00 or -25.00.' : null)}
      twoOperatorRule="adjustment"
      submitLabel="Request"
      done="Requested. It waits for a second operator under Waiting."
      topics={['waiting']}
      onClose={onClose}
    >
      <NumberField label="Amount, negative to deduct" value={text} inputMode="text" onChange={setText} />
    </ReasonDialog>
  )
}

type MenuItem = {
  readonly label: string
  readonly note: string
  readonly permission: DeskPermission
  readonly Dialog: ComponentType<UserDialogProps>
  readonly isOn?: (profile: UserProfile) => boolean
}

/** A closed account allows only an adjustment of the balance. */
const isNotClosed = ({ status }: UserProfile): boolean => status !== 'closed'

const ITEMS: readonly MenuItem[] = [
  {
    label: 'Account status',
    note: 'Close only, frozen, or no restriction',
    permission: 'restrictPerson',
    Dialog: StatusDialog,
    isOn: isNotClosed,
  },
  {
    label: 'Identity',
    note: 'Verify without documents, or revoke a verification',
    permission: 'verifyPerson',
    Dialog: VerifyDialog,
    isOn: ({ user }) => !user.isDemo,
  },
  {
    label: 'Log out everywhere',
    note: 'Ends all sessions',
    permission: 'logPersonOut',
    Dialog: LogOutDialog,
    isOn: isNotClosed,
  },
  {
    label: 'Reset second factor',
    note: 'For a user who lost it; notifies them by e-mail',
    permission: 'resetPersonSecondFactor',
    Dialog: SecondFactorDialog,
    isOn: ({ hasSecondFactor }) => hasSecondFactor,
  },
  {
    label: 'Credit score',
    note: 'Sets a new score',
    permission: 'setCreditScore',
    Dialog: CreditScoreDialog,
    isOn: isNotClosed,
  },
  {
    label: 'Request an adjustment',
    note: 'A second operator decides',
    permission: 'askAdjustment',
    Dialog: AdjustmentDialog,
    isOn: ({ user }) => !user.isDemo,
  },
]

/** The actions on a user that the operator's role allows, each with a reason. */
export function UserMenu({ profile }: { profile: UserProfile }) {
  const { role } = useSelf()
  const [isOpen, setIsOpen] = useState(false)
  const [chosen, setChosen] = useState<MenuItem | null>(null)
  const items = ITEMS.filter(({ permission, isOn }) => mayDo(role, permission) && (isOn?.(profile) ?? true))
  if (items.length === 0) return null
  return (
    <>
      <Button size="small" onClick={() => setIsOpen(true)}>
        Actions
      </Button>
      <Sheet
        isOpen={isOpen}
        title={`Actions for user ${asName(profile.user.uid)}`}
        closeLabel="Close"
        onClose={() => setIsOpen(false)}
      >
        <ul className="divide-y divide-line">
          {items.map((item) => (
            <li key={item.label}>
              <button
                type="button"
                className="min-h-14 w-full py-2 text-start"
                onClick={() => {
                  setIsOpen(false)
                  setChosen(item)
                }}
              >
                <span className="block font-bold">{item.label}</span>
                <span className="block text-note text-second">{item.note}</span>
              </button>
            </li>
          ))}
        </ul>
      </Sheet>
      {chosen && <chosen.Dialog profile={profile} onClose={() => setChosen(null)} />}
    </>
  )
}
