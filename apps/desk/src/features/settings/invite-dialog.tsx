import { inviteOperator, type OperatorRole } from '@fairlot/contract/desk'
import { TextField } from '@fairlot/ui/field.tsx'
import { useState } from 'react'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { RoleField } from './role-field.tsx'

type InviteDialogProps = { onInvitation: (invitation: string) => void; onClose: () => void }

/** Invites somebody to the desk. */
export function InviteDialog({ onInvitation, onClose }: InviteDialogProps) {
  const [name, setName] = useState('')
  const [role, setRole] = useState<OperatorRole>('support')
  return (
    <ReasonDialog
      title="Invite an operator"
      text="They choose a password and a second factor themselves."
      endpoint={inviteOperator}
      inputOf={(reason) => ({ name: name.trim(), role, reason })}
      check={() => (name.trim() === '' ? 'Say above what they are called at the desk.' : null)}
      needsSecond="perhaps"
      sendLabel="Invite"
      done="The invitation is made."
      onDone={({ invitation }) => invitation !== null && onInvitation(invitation)}
      onClose={onClose}
    >
      <TextField label="Name" value={name} autoComplete="off" onChange={setName} />
      <RoleField value={role} onChange={setRole} />
    </ReasonDialog>
  )
}
