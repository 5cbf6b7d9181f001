import { setPersonStatus, type PersonProfile } from '@fairlot/contract/desk'
import { SelectField } from '@fairlot/ui/select-field.tsx'
import { useState } from 'react'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import type { PersonDialogProps } from './person-props.ts'
import { STATUS_WORDS } from './person-words.ts'

type Status = PersonProfile['status']

const OPTIONS: readonly { readonly value: Status; readonly label: string }[] = [
  { value: 'active', label: 'May trade' },
  { value: 'closeOnly', label: 'Close only: opens nothing, closes and withdraws' },
  { value: 'frozen', label: 'Frozen: may only ask for a withdrawal' },
]

/** Restricts an account or frees it. The person reads the reason at once. */
export function StatusDialog({ person: { user, status: before }, onClose }: PersonDialogProps) {
  const [status, setStatus] = useState<Status>(before === 'active' ? 'closeOnly' : 'active')
  return (
    <ReasonDialog
      title={`What ${user.uid} may do`}
      text="The person reads your role, the time and the reason at once. Stops and stop-out go on. Pending orders of a restricted account are withdrawn."
      endpoint={setPersonStatus}
      inputOf={(reason) => ({ id: user.id, before, status, reason })}
      changes={
        status === before
          ? []
          : [{ label: 'State', before: STATUS_WORDS[before], after: STATUS_WORDS[status] }]
      }
      check={() => (status === before ? 'This is what it is already: choose another.' : null)}
      sendLabel={status === 'active' ? 'Free it' : 'Restrict it'}
      tone={status === 'active' ? 'ink' : 'danger'}
      done={`Now: ${STATUS_WORDS[status]}.`}
      onClose={onClose}
    >
      <SelectField label="May do" value={status} options={OPTIONS} onChange={setStatus} />
    </ReasonDialog>
  )
}
